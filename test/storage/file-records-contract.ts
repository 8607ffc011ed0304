import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { FileRecord, FileRecords, FileToUpload } from '#src/storage/file-records.js';
import type { Storage } from '#src/storage/storage.js';
import { allOf, inOrder } from './accounts-contract.js';

/** The ports that files are kept by, but for their passages. */
export type FilePorts = Pick<Storage, 'accounts' | 'contents' | 'uploads' | 'fileRecords'>;

const PAST = new Date(Date.now() - 60_000).toISOString();
const FUTURE = new Date(Date.now() + 3_600_000).toISOString();
const NEVER = '9999-01-01T00:00:00.000Z';

/** What holds for the records of files, their contents and upload addresses in every storage. */
export function describeFileRecords(name: string, open: () => Promise<FilePorts>): void {
  describe(`records of files: ${name}`, () => {
    it('an announced file has no size until its content is there, and waits to be indexed then', async () => {
      const { records, stage } = await botOf(await open());
      const announced = await recordOf(
        records.upsert(fileOf('a.md', { size: 3, tags: { a: '1' }, metadata: { b: [2] } })),
      );
      expect(announced).toMatchObject({ key: 'a.md', size: null, status: 'upload_pending', index: true });
      expect(announced).toMatchObject({ tags: { a: '1' }, metadata: { b: [2] }, accessPolicies: [], pipeline: '' });
      expect(await records.content(announced.id)).toBeUndefined();
      expect(await records.hasPending()).toBe(false);
      const received = await records.receive(announced.id, 'text/plain', await stage('abc'));
      expect(received).toMatchObject({
        id: announced.id,
        size: 3,
        status: 'indexing_pending',
        contentType: 'text/plain',
      });
      expect(received?.version).toBeGreaterThan(announced.version);
      expect(await records.find('a.md')).toEqual(received);
      expect(await records.find(announced.id)).toEqual(received);
      expect(await records.hasPending()).toBe(true);
      expect(await records.pending({ after: '', limit: 10 })).toEqual([{ id: announced.id, size: 3 }]);
      expect(await records.receive('file_none', 'text/plain', await stage('abc'))).toBeUndefined();
    });

    it('a key finds its own file, though it is the id of another', async () => {
      const { records } = await botOf(await open());
      const first = await recordOf(records.upsert(fileOf('a.md')));
      expect(await records.withKey(first.id)).toBeUndefined();
      const second = await recordOf(records.upsert(fileOf(first.id)));
      expect(await records.withKey(first.id)).toEqual(second);
      expect(await records.find(first.id)).toEqual(first);
      expect(await records.identify(first.id)).toMatchObject({ id: first.id, key: first.key });
      await recordOf(records.upsert(fileOf(first.id, { expiresAt: PAST })));
      expect(await records.withKey(first.id)).toBeUndefined();
    });

    it('an upsert replaces a description and keeps the id; with isNew it takes no key that is taken', async () => {
      const { records, stage } = await botOf(await open());
      const first = await recordOf(records.upsert(fileOf('a.md', { tags: { a: '1' }, expiresAt: FUTURE })));
      expect(await records.upsert(fileOf('a.md'), { isNew: true })).toBe('taken');
      const content = await stage('abcd');
      const second = await recordOf(
        records.upsert(fileOf('a.md', { accessPolicies: ['public_content'] }), { content }),
      );
      expect(second).toMatchObject({ id: first.id, createdAt: first.createdAt, tags: {}, size: 4 });
      expect(second).toMatchObject({ status: 'indexing_pending', accessPolicies: ['public_content'] });
      expect(second).not.toHaveProperty('expiresAt');
      expect(second.version).toBeGreaterThan(first.version);
    });

    it('an announcement leaves the content, its kind, and what became of it, until other bytes arrive', async () => {
      const { records, stage } = await botOf(await open());
      const { id } = await recordOf(records.upsert(fileOf('a.md')));
      await records.receive(id, 'text/plain', await stage('abc'));
      const other = fileOf('a.md', { size: 9, contentType: 'application/pdf', index: false, tags: { a: '1' } });
      const kept = { size: 3, contentType: 'text/plain', index: true, tags: { a: '1' } };
      const waiting = await recordOf(records.upsert(other));
      expect(waiting).toMatchObject({ ...kept, status: 'indexing_pending' });
      expect(await records.pending({ after: '', limit: 10 })).toEqual([{ id, size: 3 }]);
      await records.fail(waiting, { status: 'indexing_failed', reason: 'No text' });
      const failed = { ...kept, status: 'indexing_failed', failedStatusReason: 'No text' };
      expect(await recordOf(records.upsert(other))).toMatchObject(failed);
      expect(await records.find(id)).toMatchObject(failed);
    });

    it('calls that announce a file at once get the same id, or with isNew all but one are refused', async () => {
      const { records } = await botOf(await open());
      const same = await Promise.all(Array.from({ length: 4 }, () => recordOf(records.upsert(fileOf('a.md')))));
      expect(new Set(same.map(({ id }) => id)).size).toBe(1);
      const made = await Promise.all(Array.from({ length: 4 }, () => records.upsert(fileOf('b.md'), { isNew: true })));
      expect(made.filter((one) => one === 'taken')).toHaveLength(3);
    });

    it('a file that has expired is absent, but is listed to be removed', async () => {
      const { records } = await botOf(await open());
      const gone = await recordOf(records.upsert(fileOf('gone.md', { expiresAt: PAST })));
      await recordOf(records.upsert(fileOf('kept.md', { expiresAt: NEVER })));
      expect(await records.find('gone.md')).toBeUndefined();
      expect(await records.find(gone.id)).toBeUndefined();
      expect(await records.upsert(fileOf('gone.md'))).toBe('expired');
      const { id, key, version } = gone;
      expect(await records.expired()).toEqual([{ id, key, version }]);
      expect((await pageOf(records)).map((file) => file.key)).toEqual(['kept.md']);
    });

    it('a failure is recorded unless the file has changed meanwhile', async () => {
      const { records } = await botOf(await open());
      const file = await recordOf(records.upsert(fileOf('a.md')));
      const failure = { status: 'upload_failed', reason: 'It did not arrive' } as const;
      expect(await records.fail({ ...file, version: file.version - 1 }, failure)).toBe(false);
      expect(await records.fail(file, failure)).toBe(true);
      const failed = await records.find(file.id);
      expect(failed).toMatchObject({ status: 'upload_failed', failedStatusReason: 'It did not arrive' });
      expect(await records.fail(file, failure)).toBe(false);
      const again = await recordOf(records.upsert(fileOf('a.md')));
      expect(again).not.toHaveProperty('failedStatusReason');
    });

    it('a patch changes tags and metadata one by one, and is limited', async () => {
      const { records } = await botOf(await open());
      const file = await recordOf(
        records.upsert(fileOf('a.md', { tags: { kept: '1', gone: '2' }, metadata: { x: 1, y: 2 } })),
      );
      const patched = await records.patch(file.id, {
        ...{ tags: { gone: null, new: '3' }, metadata: { x: null, z: 3 } },
        ...{ accessPolicies: ['integrations'], expiresAt: FUTURE },
      });
      expect(patched).toMatchObject({ tags: { kept: '1', new: '3' }, metadata: { y: 2, z: 3 }, expiresAt: FUTURE });
      expect(patched.accessPolicies).toEqual(['integrations']);
      expect(patched.version).toBeGreaterThan(file.version);
      const none = { tags: {}, metadata: {} };
      const same = await records.patch(file.id, none);
      expect(same).toMatchObject({ tags: patched.tags, metadata: patched.metadata, expiresAt: FUTURE });
      expect(await records.patch(file.id, { ...none, expiresAt: null })).not.toHaveProperty('expiresAt');
      await expect(records.patch('file_none', none)).rejects.toMatchObject({ code: 'FILE_MISSING' });
      const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`tag ${i}`, 'x']));
      const refused = records.patch(file.id, { ...none, tags: many });
      await expect(refused).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    });

    it('pages have every file once, by any field in either order, and only those that pass the filter', async () => {
      const { records, stage } = await botOf(await open());
      const sizes = [3, 1, 2, 2];
      for (const [i, size] of sizes.entries()) {
        const tags = i % 2 === 0 ? { parity: 'even' } : {};
        await recordOf(records.upsert(fileOf(`${'bdac'.charAt(i)}.md`, { size, tags })));
      }
      const received = await recordOf(records.upsert(fileOf('e.md', { size: 9 }), { content: await stage('123') }));
      const order = { createdAt: 'bdace', updatedAt: 'bdace', key: 'abcde' } as const;
      for (const direction of ['asc', 'desc'] as const) {
        for (const [sortField, keys] of Object.entries(order) as [keyof typeof order, string][]) {
          const found = await pageOf(records, { sortField, direction });
          expect(found.map(({ key }) => key.charAt(0))).toEqual(inOrder([...keys], direction));
        }
        const bySize = await pageOf(records, { sortField: 'size', direction });
        expect(bySize.map(({ key }) => key)).toHaveLength(5);
        expect(bySize.at(direction === 'asc' ? 0 : -1)?.key).toBe('d.md');
        const byStatus = await pageOf(records, { sortField: 'status', direction });
        expect(byStatus.at(direction === 'asc' ? 0 : -1)).toEqual(received);
      }
      const [b] = await pageOf(records);
      const among = async (filter: Partial<Parameters<FileRecords['page']>[0]>) =>
        (await pageOf(records, {}, filter)).map(({ key }) => key);
      expect(await among({ tags: { parity: 'even' } })).toEqual(['b.md', 'a.md']);
      expect(await among({ tags: { parity: { not: ['even'] } } })).toEqual(['d.md', 'c.md', 'e.md']);
      expect(await among({ ids: [b?.id ?? '', 'file_none'] })).toEqual(['b.md']);
      expect(await among({ ids: [] })).toEqual([]);
      expect(await among({ indexed: true })).toEqual([]);
      expect(await among({ indexed: false })).toHaveLength(5);
    });

    it('lists files in the order of the bytes of their keys', async () => {
      const { records } = await botOf(await open());
      const inOrder = ['z.md', 'é.md', '（1）.md', '😀.md'];
      for (const key of ['😀.md', '（1）.md', 'é.md', 'z.md']) await records.upsert(fileOf(key));
      expect((await pageOf(records, { sortField: 'key' })).map(({ key }) => key)).toEqual(inOrder);
    });

    it('lists the names of tags and the values of one, in ascending order', async () => {
      const { records } = await botOf(await open());
      await records.upsert(fileOf('a.md', { tags: { b: '1', a: 'x' } }));
      await records.upsert(fileOf('b.md', { tags: { b: '2', c: 'y' } }));
      await records.upsert(fileOf('c.md', { tags: { d: '2' }, expiresAt: PAST }));
      expect(await records.tags({ limit: 10 })).toEqual(['a', 'b', 'c']);
      expect(await records.tags({ limit: 2, after: 'a' })).toEqual(['b', 'c']);
      expect(await records.tags({ limit: 1 })).toEqual(['a']);
      expect(await records.tags({ tag: 'b', limit: 10 })).toEqual(['1', '2']);
      expect(await records.tags({ tag: 'b', after: '1', limit: 10 })).toEqual(['2']);
    });

    it('a deleted bot takes no more files', async () => {
      const ports = await open();
      const { records, bot } = await botOf(ports);
      await ports.accounts.bots.remove(bot);
      await expect(records.upsert(fileOf('a.md'))).rejects.toMatchObject({ code: 'BOT_MISSING' });
    });

    it('an upload address accepts one upload of what was announced, until it expires', async () => {
      const ports = await open();
      const { records, bot } = await botOf(ports);
      const { id } = await recordOf(records.upsert(fileOf('a.md')));
      const announced = { size: 5, contentType: 'text/html', index: false };
      const [hash, late] = [randomUUID(), randomUUID()];
      await ports.uploads.put({ ...announced, hash, fileId: id, expiresAt: FUTURE });
      await ports.uploads.put({ ...announced, hash: late, fileId: id, expiresAt: PAST });
      expect(await ports.uploads.find(hash)).toEqual({ ...announced, botId: bot, fileId: id });
      expect(await ports.uploads.find(late)).toBeUndefined();
      expect(await ports.uploads.take(late, new Date().toISOString())).toBeUndefined();
      const before = new Date(Date.now() - 3_600_000).toISOString();
      expect(await ports.uploads.take(late, before)).toEqual({ ...announced, botId: bot, fileId: id });
      expect(await ports.uploads.take(hash, before)).toEqual({ ...announced, botId: bot, fileId: id });
      expect(await ports.uploads.take(hash, before)).toBeUndefined();
      expect(await ports.uploads.find(hash)).toBeUndefined();
      const none = randomUUID();
      await ports.uploads.put({ ...announced, hash: none, fileId: 'file_none', expiresAt: FUTURE });
      expect(await ports.uploads.find(none)).toBeUndefined();
    });
  });
}

/** A new bot, with the records of its files. */
export async function botOf(ports: FilePorts) {
  const { accounts, contents } = ports;
  const { id: workspace } = await accounts.workspaces.create(`workspace ${randomUUID()}`);
  const { id: bot } = await accounts.bots.create({ name: undefined, tags: {}, workspace });
  const stage = (text: string) => contents.stage([Buffer.from(text)], bot);
  return { bot, stage, records: await ports.fileRecords(bot) };
}

/** A file as it is announced. */
export function fileOf(key: string, file: Partial<FileToUpload> = {}): FileToUpload {
  const some = { size: 1, contentType: 'text/markdown', tags: {}, metadata: {}, index: true };
  return { key, ...some, accessPolicies: [], expiresAt: undefined, ...file };
}

/** The record that an upsert returns. Throws if it was refused. */
export async function recordOf(upsert: ReturnType<FileRecords['upsert']>): Promise<FileRecord> {
  const record = await upsert;
  if (typeof record === 'string') throw new Error(`The file was refused: ${record}`);
  return record;
}

/** The records of all pages of two. */
function pageOf(
  records: FileRecords,
  {
    sortField = 'createdAt',
    direction = 'asc',
  }: Partial<Pick<Parameters<FileRecords['page']>[1], 'sortField' | 'direction'>> = {},
  filter: Partial<Parameters<FileRecords['page']>[0]> = {},
): Promise<FileRecord[]> {
  const all = { tags: {}, ids: undefined, indexed: undefined, ...filter };
  return allOf((page) => records.page(all, { ...page, size: 2, sortField, direction }));
}
