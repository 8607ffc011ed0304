import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { BotRecord, WorkspaceRecord } from '#src/storage/accounts.js';
import type { FileContent } from '#src/storage/contents.js';
import type { DamagedFile, FileCopies, FileCopy, FileState, FileToCopy } from '#src/storage/copies.js';
import type { Storage } from '#src/storage/storage.js';
import { at, fileToPut } from '../support/file-to-put.js';

const MODEL = { id: 'angles', name: 'angles', fingerprint: 'angles', dimensions: 2 };
const BEFORE = '2020-01-02T03:04:05.678Z';
const AFTER = '2021-01-02T03:04:05.678Z';

/** What holds for copies in every storage. Opens the same storage again each time, or another one. */
export function describeCopies(name: string, open: () => Promise<Storage>): void {
  describe(`copies: ${name}`, () => {
    it('workspaces, bots, tokens and knowledge bases keep ids and times, and replace those of their ids', async () => {
      const storage = await open();
      const { accounts, copies } = storage;
      const { workspace, bot } = records();
      await copies.putWorkspace(workspace);
      await copies.putBot(bot);
      expect(await accounts.workspaces.find(workspace.id)).toEqual(workspace);
      expect(await accounts.bots.find(bot.name, workspace.id)).toEqual(bot);
      const [renamed, moved] = [
        { ...workspace, name: randomUUID() },
        { ...bot, name: 'moved', tags: { a: '2' } },
      ];
      await copies.putWorkspace(renamed);
      await copies.putBot(moved);
      expect(await accounts.workspaces.find(renamed.name)).toEqual(renamed);
      expect(await accounts.bots.find(bot.id)).toEqual(moved);
      expect(await accounts.bots.find(bot.name, workspace.id)).toBeUndefined();

      const token = {
        ...({ id: randomUUID(), workspaceId: workspace.id, name: 'ci', role: 'member', bots: [bot.id] } as const),
        ...{ hash: Buffer.from(randomUUID()), createdAt: BEFORE, expiresAt: AFTER },
      };
      await copies.putToken(token);
      await copies.putToken({ ...token, revokedAt: AFTER });
      expect(await accounts.tokens.list(workspace.id)).toEqual([{ ...token, revokedAt: AFTER }]);

      const base = { id: `kb_${randomUUID()}`, name: 'a', tags: { a: '1' }, createdAt: BEFORE };
      await copies.putKnowledgeBase(bot.id, base);
      await copies.putKnowledgeBase(bot.id, { ...base, name: 'b' });
      expect(await (await storage.knowledgeBases(bot.id)).find(base.id)).toEqual({ ...base, name: 'b' });
    });

    it('a name that another workspace or bot has is refused', async () => {
      const { copies } = await open();
      const { workspace, bot } = records();
      await copies.putWorkspace(workspace);
      await copies.putBot(bot);
      const other = { ...workspace, id: randomUUID() };
      await expect(copies.putWorkspace(other)).rejects.toMatchObject({ code: 'WORKSPACE_EXISTS' });
      await expect(copies.putBot({ ...bot, id: randomUUID() })).rejects.toMatchObject({ code: 'BOT_EXISTS' });
      await expect(copies.files(randomUUID(), undefined)).rejects.toMatchObject({ code: 'BOT_MISSING' });
    });

    it('a file has its id, version and times, and is searched; what has no embedding is pending', async () => {
      const { storage, bot, files } = await botOf(await open());
      const copy = copyOf('a.md', ['10 ten', '80 eighty'], { embedded: ['10 ten'] });
      await files.put(copy);
      expect(await statesOf(files)).toEqual([copy.state]);
      const read = (await files.read(copy.state.id)) as FileToCopy;
      expect(read).toEqual({ state: copy.state, text: copy.text, content: undefined, cuts: expect.any(Function) });
      expect(await files.embeddings(['10 ten', '80 eighty', 'none'])).toEqual(new Map([['10 ten', at(10)]]));
      const store = await storage.passages(bot, MODEL);
      expect(await store.file('a.md')).toMatchObject({ id: copy.state.id, version: 7, hash: copy.state.hash });
      expect(await store.pending({ after: 0, limit: 9 })).toEqual([expect.objectContaining({ text: '80 eighty' })]);
      const { candidates } = await store.retrieve({ embedding: Promise.resolve(at(10)), limit: 5 });
      const ranked = candidates.map(({ id, cosine }) => ({ id, sum: cosine || 0 }));
      const { passages } = await store.read(ranked, { limit: 1, context: 0 });
      expect(passages[0]).toMatchObject({
        passage: { content: '10 ten' },
        file: { createdAt: BEFORE, updatedAt: AFTER },
      });
      const records = await storage.fileRecords(bot);
      expect(await records.find('a.md')).toMatchObject({ tags: { t: '1' }, expiresAt: '9999-01-01T00:00:00.000Z' });
      expect(await storage.accounts.bots.ofFile(copy.state.id)).toMatchObject({ id: bot });
      expect(await read.cuts()).toMatchObject([
        { start: 0, end: 6, subtype: 'paragraph', page: null },
        { start: 7, end: 16 },
      ]);
      await store.close();
    });

    it('a file that is put again replaces its passages; one with its key or its id makes room', async () => {
      const { storage, bot, files } = await botOf(await open());
      const first = copyOf('a.md', ['10 ten', '20 twenty'], { embedded: ['10 ten', '20 twenty'] });
      await files.put(first);
      await files.put(first);
      const second = { ...copyOf('a.md', ['10 ten'], { embedded: [] }) };
      const changed = { ...second, state: { ...second.state, id: first.state.id, version: 8 } };
      await files.put(changed);
      expect(await statesOf(files)).toEqual([changed.state]);
      const moved = { ...changed, state: { ...changed.state, key: 'b.md', version: 9 } };
      await files.put(moved);
      expect(await statesOf(files)).toEqual([moved.state]);
      const other = copyOf('b.md', ['30 thirty'], { embedded: ['30 thirty'] });
      await files.put(other);
      expect(await statesOf(files)).toEqual([other.state]);
      const store = await storage.passages(bot, MODEL);
      expect(await store.counts()).toMatchObject({ files: 1, passages: 1, embedded: 1 });
      expect(await files.remove({ ...other.state, version: 6 })).toBe(false);
      expect(await statesOf(files)).toHaveLength(1);
      expect(await files.remove(other.state)).toBe(true);
      expect(await statesOf(files)).toEqual([]);
      expect(await store.counts()).toMatchObject({ files: 0, passages: 0 });
      expect(await storage.accounts.bots.ofFile(other.state.id)).toBeUndefined();
      await store.close();
    });

    it('files that have got the keys of each other are put at the same time', async () => {
      for (const hasModel of [true, false]) {
        const { files } = await botOf(await open(), { hasModel });
        const keys = ['1.md', '2.md', '3.md', '4.md'];
        const copies = keys.map((key) => {
          const { state, ...copy } = copyOf(key, hasModel ? [`10 of ${key}`] : [], { embedded: [] });
          return hasModel ? { ...copy, state } : { ...copy, state: { ...state, hash: '' }, text: undefined };
        });
        for (const copy of copies) await files.put(copy);
        const moved = copies.map(({ state, ...copy }, i) => {
          const key = keys[(i + 1) % keys.length] as string;
          return { ...copy, state: { ...state, key, version: state.version + 1 } };
        });
        await Promise.all(moved.map((copy) => files.put(copy)));
        const byKey = (a: { readonly key: string }, b: { readonly key: string }) => (a.key < b.key ? -1 : 1);
        expect((await statesOf(files)).sort(byKey)).toEqual(moved.map(({ state }) => state).sort(byKey));
      }
    });

    it('an upload that waits to be indexed waits in the copy, with its content, with a model and without', async () => {
      for (const hasModel of [true, false]) {
        const { storage, bot, files } = await botOf(await open(), { hasModel });
        const { state } = copyOf('a.md', [], { embedded: [] });
        const pending = { ...state, status: 'indexing_pending', hash: '', pipeline: '', title: null } as const;
        const put = async (bytes: string, version: number) => {
          const content = await storage.contents.stage([Buffer.from(bytes)], bot);
          const copy = {
            state: { ...pending, version },
            text: undefined,
            passages: [],
            embeddings: new Map(),
            content,
          };
          await files.put(copy);
        };
        await put('first', 1);
        await put('second', 2);
        const records = await storage.fileRecords(bot);
        expect(await records.pending({ after: '', limit: 5 })).toEqual([{ id: state.id, size: state.size }]);
        expect(await bytesOf((await records.content(state.id)) as FileContent)).toBe('second');
        const read = (await files.read(state.id)) as FileToCopy;
        expect(read).toEqual({
          state: { ...pending, version: 2 },
          text: undefined,
          content: expect.anything(),
          cuts: expect.any(Function),
        });
        expect(await bytesOf(read.content as FileContent)).toBe('second');
        const withPending = (await storage.accounts.bots.withPendingFiles()).map(({ id }) => id);
        expect(withPending).toContain(bot);
        await files.remove({ ...pending, version: 2 });
        expect(await statesOf(files)).toEqual([]);
      }
    });

    it('an upload keeps its new content in addition to the text that was indexed', async () => {
      const { storage, bot, files } = await botOf(await open());
      const copy = copyOf('a.pdf', ['10 ten'], { embedded: ['10 ten'] });
      const content = await storage.contents.stage([Buffer.from('%PDF')], bot);
      await files.put({ ...copy, content });
      const records = await storage.fileRecords(bot);
      const stored = (await records.content(copy.state.id)) as FileContent;
      expect({ isText: stored.isText, bytes: await bytesOf(stored) }).toEqual({ isText: false, bytes: '%PDF' });
      await files.put({ ...copy, state: { ...copy.state, version: 8 } });
      expect(((await records.content(copy.state.id)) as FileContent).isText).toBe(true);
    });

    it('an embedding of another length is refused, and nothing is changed', async () => {
      const { files } = await botOf(await open());
      const copy = copyOf('a.md', ['10 ten'], { embedded: [] });
      const wrong = files.put({ ...copy, embeddings: new Map([['10 ten', Float32Array.of(1)]]) });
      await expect(wrong).rejects.toMatchObject({ code: 'EMBEDDING_INVALID' });
      expect(await statesOf(files)).toEqual([]);
    });

    it('the signing key is replaced', async () => {
      const storage = await open();
      const [former, key] = [await storage.signingKey(), Buffer.alloc(32, 7)];
      await storage.copies.putSigningKey(key);
      expect(Buffer.compare(await storage.signingKey(), key)).toBe(0);
      await storage.copies.putSigningKey(former);
      expect(Buffer.compare(await storage.signingKey(), former)).toBe(0);
    });
  });
}

function records(): { workspace: WorkspaceRecord; bot: BotRecord } {
  const times = { createdAt: BEFORE, updatedAt: AFTER };
  const workspace = { id: randomUUID(), name: randomUUID(), ...times };
  const place = { id: randomUUID(), workspace: workspace.id, name: 'support' };
  return { workspace, bot: { ...place, tags: { a: '1' }, ...times, deployedAt: AFTER } };
}

/** A copied bot with its files. */
async function botOf(storage: Storage, { hasModel = true } = {}) {
  const { workspace, bot } = records();
  await storage.copies.putWorkspace(workspace);
  await storage.copies.putBot(bot);
  if (hasModel) await storage.models.assign(bot.id, { card: MODEL, location: undefined });
  return { storage, bot: bot.id, files: await storage.copies.files(bot.id, hasModel ? MODEL : undefined) };
}

/** A file whose lines are its passages; the first number of each is the angle of its embedding. */
function copyOf(
  key: string,
  lines: readonly string[],
  { embedded }: { readonly embedded: readonly string[] },
): FileCopy {
  const { text, passages, title: _, ...file } = fileToPut(key, lines, { tags: { t: '1' }, metadata: { m: [1] } });
  const state: FileState = {
    ...file,
    ...{ id: `file_${randomUUID()}`, version: 7, title: 'A title', createdAt: BEFORE, updatedAt: AFTER },
    ...{ status: 'indexing_completed', index: true, accessPolicies: ['public_content'] },
    ...{ expiresAt: '9999-01-01T00:00:00.000Z', keepsDescription: true, passages: lines.length },
  };
  const embeddings = new Map(embedded.map((line) => [line, at(Number.parseInt(line, 10))]));
  return { state, text, passages, embeddings, content: undefined };
}

async function statesOf(files: FileCopies): Promise<(FileState | DamagedFile)[]> {
  const states: (FileState | DamagedFile)[] = [];
  for await (const state of files.states()) states.push(state);
  return states;
}

async function bytesOf(content: FileContent): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of content.read()) parts.push(part);
  return Buffer.concat(parts).toString();
}
