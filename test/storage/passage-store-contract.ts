import { describe, expect, it } from 'vitest';
import type { TagFilter } from '#src/domain/filters/tag-filter.js';
import type { PassageStore, ReadOptions, StoredFile } from '#src/storage/passage-store.js';
import type { ReadPassage } from '#src/storage/retrieval.js';
import { queryTerms } from '#src/text/query-terms.js';
import { at, embedAll, fileToPut, hashOf, putNow } from '../support/file-to-put.js';

/** What a folder says of a file. */
const SEEN = { folder: 'docs', size: 5, mtime: 1, ctime: 1, inode: 1, indexedAt: 2 };

/**
 * What is true of every passage store; `create` gives an empty one for embeddings of two dimensions. In these tests a
 * file's lines are its passages, and the number in a line is the angle of its embedding.
 */
export function describePassageStore(name: string, create: () => Promise<PassageStore>): void {
  async function holding(...files: Parameters<typeof fileToPut>[]): Promise<PassageStore> {
    const store = await create();
    for (const file of files) await putNow(store, fileToPut(...file));
    await embedAll(store);
    return store;
  }

  describe(`${name} is a passage store`, () => {
    describe('files', () => {
      it('do not exist in a new store', async () => {
        const store = await create();
        expect([await store.files(), await store.file('a.md'), await store.remove('a.md')]).toEqual([
          [],
          undefined,
          false,
        ]);
      });

      it('are listed as they were put, ordered by key', async () => {
        const store = await holding(['b.md', ['1']], ['a.md', ['2'], { folder: null, mtime: null }]);
        const common = {
          id: expect.stringMatching(/^file_/),
          version: expect.any(Number),
          size: 1,
          ctime: 1000,
          inode: 7,
          pipeline: 'pipeline',
          indexedAt: 2000,
        };
        const a = { ...common, key: 'a.md', folder: null, mtime: null, hash: hashOf('2') };
        const b = { ...common, key: 'b.md', folder: 'docs', mtime: 1000, hash: hashOf('1') };
        expect(await store.files()).toEqual([a, b]);
        expect(await store.file('b.md')).toEqual(b);
      });

      it('are listed in the order of the bytes of their keys', async () => {
        const store = await holding(['😀.md', ['1']], ['（1）.md', ['1']], ['é.md', ['1']], ['z.md', ['1']]);
        expect((await store.files()).map(({ key }) => key)).toEqual(['z.md', 'é.md', '（1）.md', '😀.md']);
      });

      it('keep their id when one of the same key is put in their place', async () => {
        const store = await holding(['a.md', ['1'], { tags: { kind: 'old', shelf: '1' } }]);
        const before = await store.file('a.md');
        await putNow(store, fileToPut('a.md', ['1'], { tags: { kind: 'new' }, metadata: { n: [1, null] } }));
        expect((await store.file('a.md'))?.id).toBe(before?.id);
        const [found] = await search(store, { at: 1 });
        expect(found?.file).toMatchObject({ id: before?.id, tags: { kind: 'new' }, metadata: { n: [1, null] } });
      });

      it('change key and folder by touch, and keep id, passages and embeddings', async () => {
        const store = await holding(['a.md', ['10', '20']]);
        const file = await stored(store, 'a.md');
        const before = await search(store, { at: 10 });
        const seen = { key: 'sub/b.md', folder: 'other', size: 7, mtime: 8, ctime: 9, inode: 10, indexedAt: 11 };
        expect(await store.touch(file, seen)).toBe(true);
        expect(await store.files()).toMatchObject([{ ...seen, id: file.id, hash: hashOf('10\n20') }]);
        const after = await search(store, { at: 10 });
        expect(after.map(({ id, passage }) => [id, passage])).toEqual(before.map(({ id, passage }) => [id, passage]));
        expect([after[0]?.file.key, await store.countPending()]).toEqual(['sub/b.md', 0]);
      });

      it('that were moved and are put again keep the ids of unchanged passages', async () => {
        const store = await holding(['a.md', ['10', '20']]);
        const before = await search(store, { at: 10 });
        await store.touch(await stored(store, 'a.md'), { ...SEEN, key: 'b.md' });
        await putNow(store, fileToPut('b.md', ['10', '30']));
        await putNow(store, fileToPut('a.md', ['10', '20']));
        await embedAll(store);
        const ids = (await search(store, { at: 10 })).map(({ file, passage }) => [file.key, passage.id]);
        expect(ids.find(([key]) => key === 'b.md')?.[1]).toBe(before[0]?.passage.id);
        expect(new Set(ids.map(([, id]) => id)).size).toBe(4);
      });
    });

    describe('a write that was decided on a state of a file', () => {
      it('is done while the file is in that state, and refused afterwards', async () => {
        const store = await holding(['a.md', ['10']]);
        const expected = await stored(store, 'a.md');
        expect(await store.put(fileToPut('a.md', ['20']), { expected })).toBe(true);
        const now = await store.files();
        expect(now[0]?.version).toBeGreaterThan(expected.version);
        expect([
          await store.put(fileToPut('a.md', ['30']), { expected }),
          await store.put(fileToPut('a.md', ['30']), { expected: undefined }),
          await store.touch(expected, { ...SEEN, key: 'b.md' }),
          await store.remove('a.md', { only: expected }),
        ]).toEqual([false, false, false, false]);
        expect([await store.files(), await store.countPending()]).toEqual([now, 1]);
      });

      it('is done only once if two are decided on the same state at the same time', async () => {
        const store = await holding(['a.md', ['10']]);
        const expected = await stored(store, 'a.md');
        const [isMoved, isPut] = await Promise.all([
          store.touch(expected, { ...SEEN, key: 'b.md' }),
          store.put(fileToPut('a.md', ['20']), { expected }),
        ]);
        expect(isMoved).not.toBe(isPut);
        const files = (await store.files()).map(({ key, hash }) => [key, hash]);
        expect(files).toEqual([isMoved ? ['b.md', hashOf('10')] : ['a.md', hashOf('20')]]);
      });

      it('is refused once the file is removed, also if another one has got its key', async () => {
        const store = await holding(['a.md', ['10']]);
        const expected = await stored(store, 'a.md');
        await store.remove('a.md');
        for (const now of [[], ['20']]) {
          if (now.length > 0) await putNow(store, fileToPut('a.md', now));
          expect([
            await store.put(fileToPut('a.md', ['30']), { expected }),
            await store.touch(expected, { ...SEEN, key: 'b.md' }),
            await store.remove('a.md', { only: expected }),
            await store.remove('a.md', { only: { id: expected.id } }),
          ]).toEqual([false, false, false, false]);
        }
        expect((await store.files()).map(({ key, hash }) => [key, hash])).toEqual([['a.md', hashOf('20')]]);
      });

      it('is refused if it would take the key of another file', async () => {
        const store = await holding(['a.md', ['10']], ['b.md', ['20']]);
        const before = await store.files();
        expect(await store.touch(await stored(store, 'a.md'), { ...SEEN, key: 'b.md' })).toBe(false);
        expect(await store.files()).toEqual(before);
      });

      it('removes by id whatever the state is', async () => {
        const store = await holding(['a.md', ['10']]);
        const { id } = await stored(store, 'a.md');
        await putNow(store, fileToPut('a.md', ['20']));
        expect(await store.remove('a.md', { only: { id } })).toBe(true);
        expect(await store.files()).toEqual([]);
      });
    });

    describe('embeddings that come with a file', () => {
      it('are stored with it: nothing is pending', async () => {
        const store = await holding(['b.md', ['20']]);
        expect(await store.missing(['10', '20', '10', '30'])).toEqual(['10', '30']);
        const embeddings = new Map([
          ['10', at(10)],
          ['30', at(30)],
        ]);
        const put = await store.put(fileToPut('a.md', ['10', '20', '30']), { expected: undefined, embeddings });
        expect([put, await store.countPending(), await store.missing(['10', '30'])]).toEqual([true, 0, []]);
        expect((await contents(store, { at: 30 }))[0]).toBe('a.md: 30');
      });

      it('must be complete, otherwise nothing changes', async () => {
        const store = await holding(['b.md', ['20']]);
        const embeddings = new Map([['10', at(10)]]);
        expect(await store.put(fileToPut('a.md', ['10', '30']), { expected: undefined, embeddings })).toBe(false);
        expect([(await store.files()).length, await store.countPending(), await store.missing(['10'])]).toEqual([
          1,
          0,
          ['10'],
        ]);
      });

      it('also serve pending texts of other files', async () => {
        const store = await create();
        await putNow(store, fileToPut('b.md', ['10']));
        await store.put(fileToPut('a.md', ['10']), { expected: undefined, embeddings: new Map([['10', at(10)]]) });
        expect([await store.countPending(), (await search(store, { at: 10 })).length]).toEqual([0, 2]);
      });

      it('are kept for a later put, until the next compaction', async () => {
        const store = await create();
        await store.keep(new Map([['10', at(10)]]));
        expect([await store.missing(['10']), await store.countPending()]).toEqual([[], 0]);
        expect(await store.put(fileToPut('a.md', ['10']), { expected: undefined, embeddings: new Map() })).toBe(true);
        await store.keep(new Map([['20', at(20)]]));
        await store.compact();
        expect(await store.missing(['10', '20'])).toEqual(['20']);
      });

      it('are refused if they are not unit vectors', async () => {
        const store = await create();
        const embeddings = new Map([['10', Float32Array.of(1, 1)]]);
        const refused = { code: 'EMBEDDING_INVALID' };
        await expect(store.keep(embeddings)).rejects.toMatchObject(refused);
        await expect(store.put(fileToPut('a.md', ['10']), { expected: undefined, embeddings })).rejects.toMatchObject(
          refused,
        );
        expect([await store.files(), await store.missing(['10'])]).toEqual([[], ['10']]);
      });
    });

    it('knows the files of a pending text', async () => {
      const store = await create();
      for (const [key, lines] of [
        ['b.md', ['10']],
        ['a.md', ['10', '20']],
        ['c.md', ['20']],
      ] as const) {
        await putNow(store, fileToPut(key, lines));
      }
      const pending = await store.pending({ after: 0, limit: 10 });
      const keys = await Promise.all(pending.map(async ({ id, text }) => [text, await store.keysOf(id)]));
      expect(Object.fromEntries(keys)).toEqual({ 10: ['a.md', 'b.md'], 20: ['a.md', 'c.md'] });
    });

    describe('passages', () => {
      it('are slices of the file, with its summary', async () => {
        const store = await holding(['a.md', ['ä10', '😀20'], { tags: { k: 'v' }, metadata: { m: 1 } }]);
        const [{ passage, file } = {}] = await search(store, { at: 20 });
        expect(passage).toEqual({
          id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
          content: '😀20',
          display: '😀20',
          breadcrumb: ['a.md'],
          subtype: 'paragraph',
          position: 1,
          start: 4,
          end: 8,
          startLine: 2,
          endLine: 2,
        });
        const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
        const given = { key: 'a.md', contentType: 'text/markdown', metadata: { m: 1 }, tags: { k: 'v' } };
        expect(file).toEqual({ ...given, id: expect.stringMatching(/^file_/), createdAt: date, updatedAt: date });
      });

      it('that did not change keep id, number and embedding, wherever in the file they went', async () => {
        const store = await holding(['a.md', ['10', '20', '30', '20']]);
        const before = await search(store, { at: 0 });
        await putNow(store, fileToPut('a.md', ['20', '40', '20', '10']));
        expect(await store.pending({ after: 0, limit: 9 })).toMatchObject([{ text: '40' }]);
        const after = await search(store, { at: 0 });
        const identity = ({ id: number, passage: { id, content } }: ReadPassage) => ({ number, id, content });
        expect(after.map(identity)).toEqual(before.filter(({ passage }) => passage.content !== '30').map(identity));
        expect(after.map(({ passage }) => passage.position)).toEqual([3, 0, 2]);
      });

      it('are read by sum, then key, then position; those that no longer exist are counted', async () => {
        const store = await holding(['b.md', ['10', '20', '30']], ['a.md', ['10']]);
        const ids = new Map(
          (await search(store, { at: 0 })).map(({ id, file, passage }) => [file.key + passage.position, id]),
        );
        const [b0 = 0, b1 = 0, b2 = 0, a0 = 0] = ['b.md0', 'b.md1', 'b.md2', 'a.md0'].map((place) => ids.get(place));
        await putNow(store, fileToPut('b.md', ['10', '30']));
        const ranked = [
          { id: b2, sum: 5 },
          { id: b0, sum: 5 },
          { id: b1, sum: 9 },
          { id: 999_999, sum: 8 },
          { id: a0, sum: 5 },
        ];
        const read = async (limit: number) => {
          const { passages, missing } = await store.read(ranked, { limit, context: 0 });
          return [missing, ...passages.map(({ sum, file, passage }) => `${sum} ${file.key} ${passage.content}`)];
        };
        expect(await read(9)).toEqual([2, '5 a.md 10', '5 b.md 10', '5 b.md 30']);
        expect(await read(2)).toEqual([2, '5 a.md 10', '5 b.md 10']);
        expect(await store.read([], { limit: 9, context: 0 })).toEqual({ passages: [], missing: 0 });
      });

      it('are read only from files that pass the filter by then', async () => {
        const store = await holding();
        await putNow(store, fileToPut('a.md', ['10'], { tags: { kind: 'public' } }));
        await embedAll(store);
        const [found] = await search(store, { at: 10, tags: { kind: 'public' } });
        await putNow(store, fileToPut('a.md', ['10'], { tags: { kind: 'private' } }));
        const read = async (filter: Pick<ReadOptions, 'tags' | 'paths'>) => {
          const ranked = [{ id: found?.id ?? 0, sum: 1 }];
          const { passages, missing } = await store.read(ranked, { limit: 9, context: 0, ...filter });
          return [passages.length, missing];
        };
        expect(await read({ tags: { kind: 'public' } })).toEqual([0, 1]);
        expect(await read({ tags: { kind: 'private' }, paths: ['a.md'] })).toEqual([1, 0]);
        expect(await read({ paths: ['guides'] })).toEqual([0, 1]);
      });

      it('are read up to a number of each file, the best ones', async () => {
        const store = await holding(['a.md', ['10', '20', '30']], ['b.md', ['40']]);
        const found = await search(store, { at: 10 });
        const ranked = found.map(({ id }, i) => ({ id, sum: found.length - i }));
        const read = async (limit: number, perFile: number) =>
          (await store.read(ranked, { limit, perFile, context: 0 })).passages.map(({ passage }) => passage.content);
        expect(await read(9, 1)).toEqual(['10', '40']);
        expect(await read(9, 2)).toEqual(['10', '20', '40']);
        expect(await read(2, 2)).toEqual(['10', '20']);
      });

      it('are read with their neighbours, and the text up to the next passage', async () => {
        const store = await holding(['a.md', ['10', '20', '30', '40']]);
        const found = (await search(store, { at: 20 }))[0];
        const windowOf = async (context: number) => {
          const { passages } = await store.read([{ id: found?.id ?? 0, sum: 1 }], { limit: 1, context });
          const { text, passages: shown } = passages[0]?.window ?? { text: undefined, passages: [] };
          return [text, shown.map(({ position, content }) => `${position}: ${content}`)];
        };
        expect(await windowOf(0)).toEqual(['20\n', ['1: 20']]);
        expect(await windowOf(1)).toEqual(['10\n20\n30\n', ['0: 10', '1: 20', '2: 30']]);
        expect(await windowOf(9)).toEqual(['10\n20\n30\n40', ['0: 10', '1: 20', '2: 30', '3: 40']]);
      });

      it('are listed by file and position, as far as there are any', async () => {
        const store = await holding(['a.md', ['10', '20', '30', '40']]);
        const { id = '' } = (await store.file('a.md')) ?? {};
        const listed = async (from: number, to: number) =>
          (await store.passages(id, { from, to })).map(({ position, content }) => `${position}: ${content}`);
        expect(await listed(1, 2)).toEqual(['1: 20', '2: 30']);
        expect(await listed(-10, 0)).toEqual(['0: 10']);
        expect(await listed(3, 13)).toEqual(['3: 40']);
        expect(await listed(4, 9)).toEqual([]);
        expect(await store.passages('file_unknown', { from: 0, to: 9 })).toEqual([]);
      });

      it('are listed with their embeddings, by key and position, if their files pass', async () => {
        const store = await holding(['b.md', ['10', '20'], { tags: { kind: 'b' } }], ['a/c.md', ['30']]);
        await putNow(store, fileToPut('a/d.md', ['40']));
        const listed = async (filter: { tags?: TagFilter; paths?: readonly string[]; limit?: number }) => {
          const found = await store.embedded({ limit: 9, ...filter });
          return found.map(({ key, passage: { position, content } }) => `${key} ${position}: ${content}`);
        };
        expect(await listed({})).toEqual(['a/c.md 0: 30', 'b.md 0: 10', 'b.md 1: 20']);
        expect(await listed({ limit: 2 })).toEqual(['a/c.md 0: 30', 'b.md 0: 10']);
        expect(await listed({ tags: { kind: 'b' } })).toEqual(['b.md 0: 10', 'b.md 1: 20']);
        expect(await listed({ paths: ['a'] })).toEqual(['a/c.md 0: 30']);
        expect(await listed({ paths: ['z'] })).toEqual([]);
        const [first] = await store.embedded({ limit: 1 });
        expect([first?.fileId, first?.embedding]).toEqual([(await store.file('a/c.md'))?.id, at(30)]);
      });

      it('are slices of the text of their file', async () => {
        const store = await holding(['a.md', ['10', '20']]);
        const file = await store.text('a.md');
        expect(file).toEqual({ id: expect.stringMatching(/^file_/), key: 'a.md', folder: 'docs', text: '10\n20' });
        const passages = await store.passages(file?.id ?? '', { from: 0, to: 9 });
        expect(passages.map(({ start, end }) => file?.text.slice(start, end))).toEqual(['10', '20']);
        expect(await store.text('b.md')).toBeUndefined();
      });
    });

    describe('the embedding of a passage', () => {
      it('is found by the id of the passage, is pending at first, and is gone with the passage', async () => {
        const store = await create();
        await putNow(store, fileToPut('a.md', ['10', '20']));
        const { id: file = '' } = (await store.file('a.md')) ?? {};
        const [, passage] = await store.passages(file, { from: 0, to: 1 });
        const id = passage?.id ?? '';
        expect(await store.embeddingOf(id)).toEqual({ id: expect.any(Number), embedding: undefined });
        await embedAll(store);
        const found = await store.embeddingOf(id);
        const retrieved = await store.retrieve({
          embedding: Promise.resolve(found?.embedding as Float32Array),
          limit: 1,
        });
        expect(retrieved.candidates).toMatchObject([{ id: found?.id, cosine: expect.closeTo(1) }]);
        expect(await store.embeddingOf('passage_unknown')).toBeUndefined();
        await store.remove('a.md');
        expect(await store.embeddingOf(id)).toBeUndefined();
      });
    });

    describe('embeddings', () => {
      it('are pending in order, from behind an id, up to a limit, of one file where its key is given', async () => {
        const store = await create();
        await putNow(store, fileToPut('a.md', ['3', '1']));
        await putNow(store, fileToPut('b.md', ['2', '3']));
        const pending = await store.pending({ after: 0, limit: 9 });
        expect(pending.map(({ text }) => text)).toEqual(['3', '1', '2']);
        expect(await store.countPending()).toBe(3);
        expect(await store.pending({ after: 0, limit: 2 })).toEqual(pending.slice(0, 2));
        expect(await store.pending({ after: pending[0]?.id ?? 0, limit: 9 })).toEqual(pending.slice(1));
        const ofB = await store.pending({ after: 0, limit: 9, key: 'b.md' });
        expect(ofB.map(({ text }) => text)).toEqual(['3', '2']);
        expect(await store.pending({ after: 0, limit: 9, key: 'c.md' })).toEqual([]);
      });

      it('of the same text in two files are stored once, even if the second file comes later', async () => {
        const store = await create();
        await putNow(store, fileToPut('a.md', ['10']));
        await putNow(store, fileToPut('b.md', ['10']));
        expect(await store.countPending()).toBe(1);
        await embedAll(store);
        await putNow(store, fileToPut('c.md', ['10']));
        expect(await store.countPending()).toBe(0);
        expect(await contents(store, { at: 10 })).toEqual(['a.md: 10', 'b.md: 10', 'c.md: 10']);
      });

      it('make their passages found, and not before', async () => {
        const store = await create();
        await putNow(store, fileToPut('a.md', ['10', '20']));
        expect(await contents(store, { at: 10 })).toEqual([]);
        const [first] = await store.pending({ after: 0, limit: 1 });
        await store.putEmbeddings([{ id: first?.id ?? 0, embedding: at(10) }]);
        expect(await contents(store, { at: 10 })).toEqual(['a.md: 10']);
        await embedAll(store);
        expect(await contents(store, { at: 10 })).toEqual(['a.md: 10', 'a.md: 20']);
      });

      it('of a text that moved from one file to another are kept until the store is flushed', async () => {
        const store = await holding(['a.md', ['10', '20']]);
        await putNow(store, fileToPut('a.md', ['10']));
        await putNow(store, fileToPut('b.md', ['20']));
        expect(await store.countPending()).toBe(0);
        await store.flush();
        expect(await contents(store, { at: 10 })).toEqual(['a.md: 10', 'b.md: 20']);
      });

      it('that arrive for a text that no longer exists are dropped, and never used for another', async () => {
        const store = await create();
        await putNow(store, fileToPut('a.md', ['10']));
        const [late] = await store.pending({ after: 0, limit: 1 });
        await putNow(store, fileToPut('a.md', ['90']));
        await store.putEmbeddings([{ id: late?.id ?? 0, embedding: at(10) }]);
        expect(await store.pending({ after: 0, limit: 9 })).toMatchObject([{ text: '90' }]);
        await embedAll(store);
        expect((await search(store, { at: 90, limit: 1 })).map(({ sum }) => sum.toFixed(3))).toEqual(['1.000']);
      });

      it.each([
        ['of other dimensions', Float32Array.of(1, 0, 0)],
        ['with NaN', Float32Array.of(Number.NaN, 0)],
        ['of another length than 1', Float32Array.of(3, 4)],
      ])('%s are refused, with all that came with them', async (_name, embedding) => {
        const store = await create();
        await putNow(store, fileToPut('a.md', ['10', '20']));
        const [first, second] = await store.pending({ after: 0, limit: 2 });
        const given = [
          { id: first?.id ?? 0, embedding: at(10) },
          { id: second?.id ?? 0, embedding },
        ];
        await expect(store.putEmbeddings(given)).rejects.toMatchObject({ code: 'EMBEDDING_INVALID' });
        expect([await store.countPending(), await contents(store, { at: 10 })]).toEqual([2, []]);
      });
    });

    describe('removing a file', () => {
      it('removes its passages, and keeps what other files share', async () => {
        const store = await holding(['a.md', ['10', '20']], ['b.md', ['20', '30']]);
        expect([await store.remove('a.md'), await store.remove('a.md')]).toEqual([true, false]);
        expect(await contents(store, { at: 10 })).toEqual(['b.md: 20', 'b.md: 30']);
        expect((await store.files()).map(({ key }) => key)).toEqual(['b.md']);
        await putNow(store, fileToPut('a.md', ['10', '20']));
        expect(await store.pending({ after: 0, limit: 9 })).toMatchObject([{ text: '10' }]);
      });

      it('leaves files in a folder of its name alone', async () => {
        const store = await holding(['docs', ['1']], ['docs/a', ['2']]);
        await putNow(store, fileToPut('docs', ['3']));
        await embedAll(store);
        expect((await contents(store, { at: 2 })).sort()).toEqual(['docs/a: 2', 'docs: 3']);
        await store.remove('docs');
        expect(await contents(store, { at: 2 })).toEqual(['docs/a: 2']);
      });

      it('removes its pending texts, and no others', async () => {
        const store = await create();
        await putNow(store, fileToPut('a.md', ['10', '20']));
        await putNow(store, fileToPut('b.md', ['20']));
        await store.remove('a.md');
        expect(await store.pending({ after: 0, limit: 9 })).toMatchObject([{ text: '20' }]);
      });
    });

    describe('retrieving by meaning', () => {
      it('is best first, at most the limit, with scores from -1 to 1', async () => {
        const store = await holding(['a.md', ['180', '0']], ['b.md', ['60', '90']]);
        const nearest = await search(store, { at: 0, limit: 9 });
        expect(nearest.map(({ sum }) => sum.toFixed(3))).toEqual(['1.000', '0.500', '0.000', '-1.000']);
        expect(await search(store, { at: 0, limit: 2 })).toEqual(nearest.slice(0, 2));
        expect(await contents(store, { at: 0 })).toEqual(['a.md: 0', 'b.md: 60', 'b.md: 90', 'a.md: 180']);
      });

      it.each<[string, TagFilter, string[]]>([
        ['a text: the tag must be it', { lang: 'en' }, ['en', 'en-old']],
        ['a list: the tag must be one of it', { lang: ['de', 'fr'] }, ['de', 'fr']],
        ['not a text: files without the tag pass', { lang: { not: 'en' } }, ['de', 'fr', 'none']],
        ['not one of a list', { lang: { not: ['en', 'fr'] } }, ['de', 'none']],
        ['several names: all must hold', { lang: 'en', age: { not: 'old' } }, ['en']],
        ['several names that no file has together', { lang: 'de', age: 'old' }, []],
        ['a value that no file has', { lang: 'EN' }, []],
        ['a name that no file has', { language: 'en' }, []],
        ['an empty list: no condition', { lang: [] }, ['de', 'en', 'en-old', 'fr', 'none']],
        ['not one of an empty list: no condition', { lang: { not: [] } }, ['de', 'en', 'en-old', 'fr', 'none']],
        ['no names: no condition', {}, ['de', 'en', 'en-old', 'fr', 'none']],
        ['quotes and wildcards stand for themselves', { lang: [`' OR 1=1 --`, '%', '"'] }, []],
      ])('takes a filter with %s', async (_name, tags, expected) => {
        const store = await holding(
          ['de', ['1'], { tags: { lang: 'de' } }],
          ['en', ['2'], { tags: { lang: 'en' } }],
          ['en-old', ['3'], { tags: { lang: 'en', age: 'old' } }],
          ['fr', ['4'], { tags: { lang: 'fr' } }],
          ['none', ['5']],
        );
        const found = await search(store, { at: 0, tags });
        expect(found.map(({ file }) => file.key)).toEqual(expected);
      });

      it.each<[string, string[], string[]]>([
        ['a file', ['docs/a.md'], ['docs/a.md']],
        ['a folder', ['docs'], ['docs/a.md', 'docs/go/b.md']],
        ['a glob', ['docs/**/*.md'], ['docs/a.md', 'docs/go/b.md']],
        ['a glob without a slash', ['b.*'], ['docs/go/b.md']],
        ['several: one must match', ['docs/go', 'docs-old'], ['docs-old/c.md', 'docs/go/b.md']],
        ['none: no condition', [], ['docs-old/c.md', 'docs/a.md', 'docs/go/b.md', 'it%_.md']],
        ['a path that no key matches', ['guides'], []],
        ['quotes and wildcards of SQL stand for themselves', ['%', 'it%_.md', `' OR 1=1 --`], ['it%_.md']],
      ])('takes paths: %s', async (_name, paths, expected) => {
        const store = await holding(
          ['docs-old/c.md', ['1']],
          ['docs/a.md', ['2']],
          ['docs/go/b.md', ['3']],
          ['it%_.md', ['4']],
        );
        const found = await search(store, { at: 0, paths });
        expect(found.map(({ file }) => file.key)).toEqual(expected);
      });

      it('distinguishes keys that differ only in white space at their ends', async () => {
        const store = await holding(['docs/a', ['1']], ['docs/a ', ['2']], ['docs /a', ['3']]);
        expect(await contents(store, { at: 0, paths: ['docs/a '] })).toEqual(['docs/a : 2']);
        expect(await contents(store, { at: 0, paths: ['docs'] })).toEqual(['docs/a: 1', 'docs/a : 2']);
        await putNow(store, fileToPut('docs/a', ['4']));
        await store.remove('docs/a');
        expect(await contents(store, { at: 0 })).toEqual(['docs/a : 2', 'docs /a: 3']);
      });

      it('takes tags and paths together: both must hold', async () => {
        const store = await holding(
          ['docs/a.md', ['1'], { tags: { lang: 'en' } }],
          ['docs/b.md', ['2']],
          ['c.md', ['3'], { tags: { lang: 'en' } }],
        );
        const both = { tags: { lang: 'en' }, paths: ['docs'] };
        expect(await contents(store, { at: 0, ...both })).toEqual(['docs/a.md: 1']);
      });

      it('follows a file that moves in or out of the paths', async () => {
        const store = await holding(['docs/a.md', ['10']]);
        expect(await contents(store, { at: 0, paths: ['docs'] })).toEqual(['docs/a.md: 10']);
        await store.touch(await stored(store, 'docs/a.md'), { ...SEEN, key: 'b.md' });
        expect(await contents(store, { at: 0, paths: ['docs'] })).toEqual([]);
        expect(await contents(store, { at: 0, paths: ['*.md'] })).toEqual(['b.md: 10']);
      });

      it('is the best of what a filter leaves, however few and distant', async () => {
        const near = Array.from({ length: 300 }, (_, i) => `${i % 90}`);
        const store = await holding(['near.md', near], ['far.md', ['150', '140', '160'], { tags: { far: 'yes' } }]);
        expect(await contents(store, { at: 0, limit: 2, tags: { far: 'yes' } })).toEqual([
          'far.md: 140',
          'far.md: 150',
        ]);
        expect(await contents(store, { at: 0, limit: 2, paths: ['far.md'] })).toEqual(['far.md: 140', 'far.md: 150']);
      });

      it('follows every change at once', async () => {
        const store = await holding(['a.md', ['10']]);
        expect(await contents(store, { at: 50 })).toEqual(['a.md: 10']);
        await putNow(store, fileToPut('b.md', ['50']));
        await embedAll(store);
        expect(await contents(store, { at: 50 })).toEqual(['b.md: 50', 'a.md: 10']);
        await putNow(store, fileToPut('a.md', ['51']));
        await embedAll(store);
        expect(await contents(store, { at: 50 })).toEqual(['b.md: 50', 'a.md: 51']);
        await store.remove('b.md');
        expect(await contents(store, { at: 50 })).toEqual(['a.md: 51']);
      });

      it('is the same after the store was flushed', async () => {
        const store = await holding(['a.md', ['10', '20', '30']], ['b.md', ['15']]);
        await putNow(store, fileToPut('a.md', ['10', '30']));
        const before = await search(store, { at: 0, limit: 9 });
        await store.flush();
        await store.flush();
        expect(await search(store, { at: 0, limit: 9 })).toEqual(before);
      });
    });

    describe('retrieving by words', () => {
      const LINES = ['the pump restarts', 'pump valve pump', 'a lamp', 'the door of the pump'];

      it('gives the passages with the best BM25, with occurrences, lengths and statistics', async () => {
        const store = await create();
        await putNow(store, fileToPut('lamp', LINES));
        const { candidates, statistics } = await store.retrieve({ lexical: queryTerms('valve lamp'), limit: 9 });
        expect(statistics).toEqual({
          passages: 4,
          meanTerms: (4 + 4 + 3 + 6) / 4,
          frequencies: [1, 4],
        });
        expect(candidates).toEqual([
          {
            id: expect.any(Number),
            cosine: Number.NaN,
            occurrences: expect.toSatisfy((counts: ArrayLike<number>) => counts[0] === 1),
            terms: 4,
            characters: 15,
            subtype: 'paragraph',
          },
        ]);
      });

      it('counts occurrences in the breadcrumb twice and in the name half, and finds other forms', async () => {
        const store = await create();
        await putNow(store, fileToPut('pumps', ['a pump', 'the pumps of a pump', 'a lamp']));
        await putNow(store, fileToPut('other', ['a lamp', 'a door', 'a valve', 'a motor', 'a wall']));
        expect(await occurrences(store, 'pump')).toEqual({
          'a pump': [3.5],
          'the pumps of a pump': [4.5],
          'a lamp': [2.5],
        });
      });

      it('finds a file by its folders, name, description, aliases and keywords', async () => {
        const store = await create();
        const described = { description: 'How to brew.', aliases: ['Chai'], keywords: 'samovar, kettle' };
        await putNow(store, { ...fileToPut('', ['a cup']), key: 'Drinks/green-tea.md', metadata: described });
        await putNow(store, fileToPut('other', ['a lamp', 'a door', 'a valve', 'a motor', 'a wall']));
        for (const query of ['drink', 'tea', 'brewing', 'chai', 'samovars', 'kettle']) {
          expect(await occurrences(store, query)).toEqual({ 'a cup': [0.5] });
        }
        expect(await occurrences(store, 'md')).toEqual({});
      });

      it('finds a file by its present name only', async () => {
        const store = await create();
        await putNow(store, { ...fileToPut('', ['a cup']), key: 'tea' });
        await putNow(store, fileToPut('other', ['a lamp', 'a door', 'a valve', 'a motor', 'a wall']));
        expect(await occurrences(store, 'coffee')).toEqual({});
        const stored = await store.file('tea');
        if (stored) await store.touch(stored, { ...stored, key: 'coffee' });
        expect(await occurrences(store, 'coffee')).toEqual({ 'a cup': [0.5] });
        await store.remove('coffee');
        expect(await occurrences(store, 'coffee')).toEqual({});
      });

      it('a name that more than 1,000 passages share finds none of them', async () => {
        const store = await create();
        const texts = (count: number) => Array.from({ length: count }, (_, i) => `text ${i}`);
        await putNow(store, { ...fileToPut('', texts(1_000)), key: 'tea/all' });
        expect(Object.keys(await occurrences(store, 'tea'))).toHaveLength(9);
        await putNow(store, { ...fileToPut('', ['a cup']), key: 'tea/more' });
        expect(await occurrences(store, 'tea')).toEqual({});
        expect(await occurrences(store, 'more')).toEqual({ 'a cup': [0.5] });
      });

      it('requires a quoted phrase, and counts it once in the text', async () => {
        const store = await create();
        await putNow(
          store,
          fileToPut('a', ['reset the connection, reset the connection', 'the connection was reset', 'x']),
        );
        await putNow(store, fileToPut('b', ['y', 'z', 'v', 'w']));
        expect(await occurrences(store, '"reset the connection"')).toEqual({
          'reset the connection, reset the connection': [2, 2, 1],
        });
      });

      it('takes a phrase that occurs nowhere for its words', async () => {
        const store = await create();
        await putNow(store, fileToPut('a', ['the connection was reset', 'x']));
        await putNow(store, fileToPut('b', ['y', 'z', 'v', 'w']));
        expect(await occurrences(store, '"connection reset"')).toEqual({ 'the connection was reset': [1, 1, 0] });
      });

      it('leaves out what a filter does not pass, but counts it in the statistics', async () => {
        const store = await create();
        await putNow(store, fileToPut('a', ['apple pie', 'plum pie'], { tags: { kind: 'sweet' } }));
        await putNow(store, fileToPut('b', ['apple cider', 'pear cider']));
        const query = { lexical: queryTerms('apple'), tags: { kind: 'sweet' }, limit: 9 };
        const { candidates, statistics } = await store.retrieve(query);
        expect(await contentsOf(store, candidates)).toEqual(['a: apple pie']);
        expect(statistics).toMatchObject({ passages: 4, frequencies: [2] });
        const inPath = await store.retrieve({ lexical: queryTerms('apple'), paths: ['b'], limit: 9 });
        expect(await contentsOf(store, inPath.candidates)).toEqual(['b: apple cider']);
        expect(inPath.statistics).toEqual(statistics);
      });

      it('ignores a term that most passages contain', async () => {
        const store = await create();
        await putNow(store, fileToPut('a', ['red pump', 'red valve', 'red lamp', 'door']));
        const { candidates } = await store.retrieve({ lexical: queryTerms('red pump'), limit: 9 });
        expect(candidates.map(({ occurrences }) => Array.from(occurrences))).toEqual([[0, 1]]);
      });

      it('follows every change: replaced, removed', async () => {
        const store = await create();
        const found = async (query: string) =>
          contentsOf(store, (await store.retrieve({ lexical: queryTerms(query), limit: 9 })).candidates);
        await putNow(store, fileToPut('a', ['apple pie', 'plum pie']));
        await putNow(store, fileToPut('b', ['apple cider', 'pear cider']));
        expect(await found('apple')).toEqual(['a: apple pie', 'b: apple cider']);
        await putNow(store, fileToPut('a', ['quince pie', 'plum pie']));
        expect([await found('apple'), await found('quince')]).toEqual([['b: apple cider'], ['a: quince pie']]);
        await store.remove('b');
        expect(await found('apple')).toEqual([]);
      });

      it('recounts the passages with a term when a file is replaced by one with as many passages', async () => {
        const store = await create();
        const frequencies = async () =>
          (await store.retrieve({ lexical: queryTerms('apple'), limit: 9 })).statistics.frequencies;
        await putNow(store, fileToPut('a', ['apple pie', 'plum pie']));
        expect(Array.from(await frequencies())).toEqual([1]);
        await putNow(store, fileToPut('a', ['apple pie', 'apple cake']));
        expect(Array.from(await frequencies())).toEqual([2]);
      });
    });

    it('retrieves by both at once: each candidate has its cosine and its occurrences', async () => {
      const store = await holding(['a', ['pump 0', 'valve 60', 'lamp 90', 'door 120', 'wall 150', 'roof 180']]);
      const query = { embedding: Promise.resolve(at(0)), lexical: queryTerms('lamp'), limit: 1 };
      const { candidates, statistics } = await store.retrieve(query);
      const shown = candidates.map(({ cosine, occurrences }) => [cosine.toFixed(3), Array.from(occurrences)]);
      expect(shown.sort()).toEqual([
        ['0.000', [1]],
        ['1.000', [0]],
      ]);
      expect(statistics).toMatchObject({ passages: 6, frequencies: [1] });
    });

    it('rejects with the failure of the embedding', async () => {
      const store = await holding(['a', ['10']]);
      const embedding = Promise.reject(new RangeError('no embedding'));
      await expect(store.retrieve({ embedding, lexical: queryTerms('x'), limit: 1 })).rejects.toThrow('no embedding');
    });

    it('reports the share of the passages that are embedded', async () => {
      const store = await create();
      expect(await store.coverage()).toBe(1);
      await putNow(store, fileToPut('a.md', ['10', '20', '30', '40']));
      expect(await store.coverage()).toBe(0);
      const [first] = await store.pending({ after: 0, limit: 1 });
      await store.putEmbeddings([{ id: first?.id ?? 0, embedding: at(10) }]);
      expect(await store.coverage()).toBe(0.25);
    });

    it('puts a file whole or not at all', async () => {
      const store = await holding(['a.md', ['10', '20']]);
      const state = async () => [await store.files(), await search(store, { at: 0 }), await store.counts()];
      const before = await state();
      const { passages, ...file } = fileToPut('a.md', ['30', '40'], { tags: { k: 'v' } });
      const clash = { ...file, passages: passages.map((passage) => ({ ...passage, position: 0 })) };
      await expect(putNow(store, clash)).rejects.toThrow();
      expect(await state()).toEqual(before);
    });

    it('counts files, passages, embedded passages, files of each folder, and lists warnings', async () => {
      const store = await create();
      expect(await store.counts()).toEqual({ files: 0, passages: 0, embedded: 0, folders: [], warnings: [] });
      await putNow(store, fileToPut('a.md', ['10', '20'], { warnings: ['w1', 'w2'] }));
      await putNow(store, fileToPut('b.md', ['20', '20'], { folder: 'other' }));
      await putNow(store, fileToPut('c.md', ['30'], { folder: null }));
      const ten = (await store.pending({ after: 0, limit: 9 })).find(({ text }) => text === '20');
      await store.putEmbeddings([{ id: ten?.id ?? 0, embedding: at(20) }]);
      expect(await store.counts()).toEqual({
        files: 3,
        passages: 5,
        embedded: 3,
        folders: [
          { folder: null, files: 1 },
          { folder: 'docs', files: 1 },
          { folder: 'other', files: 1 },
        ],
        warnings: [
          { key: 'a.md', reason: 'w1' },
          { key: 'a.md', reason: 'w2' },
        ],
      });
    });
  });
}

/** The passages nearest to an angle, best first. */
async function search(
  store: PassageStore,
  { at: degrees, limit = 1000, ...filter }: { at: number; limit?: number; tags?: TagFilter; paths?: string[] },
): Promise<readonly ReadPassage[]> {
  const { candidates } = await store.retrieve({ embedding: Promise.resolve(at(degrees)), ...filter, limit });
  const ranked = candidates.map(({ id, cosine }) => ({ id, sum: cosine }));
  return (await store.read(ranked, { limit, context: 0 })).passages;
}

/** The same as `file: content`. */
async function contents(store: PassageStore, options: Parameters<typeof search>[1]): Promise<string[]> {
  return (await search(store, options)).map(({ file, passage }) => `${file.key}: ${passage.content}`);
}

/** Candidates as `file: content`, in the order of the files. */
async function contentsOf(store: PassageStore, candidates: readonly { readonly id: number }[]): Promise<string[]> {
  const { passages } = await store.read(
    candidates.map(({ id }) => ({ id, sum: 0 })),
    { limit: 1000, context: 0 },
  );
  return passages.map(({ file, passage }) => `${file.key}: ${passage.content}`);
}

/** How often the terms and phrases of a query occur in each candidate, by its content. */
async function occurrences(store: PassageStore, query: string): Promise<Record<string, number[]>> {
  const { candidates } = await store.retrieve({ lexical: queryTerms(query), limit: 9 });
  const entries: [string, number[]][] = [];
  for (const candidate of candidates) {
    const { passages } = await store.read([{ id: candidate.id, sum: 0 }], { limit: 1, context: 0 });
    entries.push([passages[0]?.passage.content ?? '', Array.from(candidate.occurrences)]);
  }
  return Object.fromEntries(entries);
}

async function stored(store: PassageStore, key: string): Promise<StoredFile> {
  const file = await store.file(key);
  if (!file) throw new Error(`${key} is not stored`);
  return file;
}
