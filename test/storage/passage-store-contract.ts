import { describe, expect, it } from 'vitest';
import type { PassageStore, TagFilter } from '#src/storage/passage-store.js';
import { at, embedAll, fileToPut, hashOf } from '../support/file-to-put.js';

/**
 * What is true of every passage store; `create` gives an empty one for embeddings of two dimensions. In these tests a
 * file's lines are its passages, and the number in a line is the angle of its embedding.
 */
export function describePassageStore(name: string, create: () => Promise<PassageStore>): void {
  async function holding(...files: Parameters<typeof fileToPut>[]): Promise<PassageStore> {
    const store = await create();
    for (const file of files) await store.put(fileToPut(...file));
    await embedAll(store);
    return store;
  }

  describe(`${name} is a passage store`, () => {
    describe('files', () => {
      it('are none at first', async () => {
        const store = await create();
        expect([await store.files(), await store.file('a.md'), await store.remove('a.md')]).toEqual([
          [],
          undefined,
          false,
        ]);
      });

      it('are what was put, by key', async () => {
        const store = await holding(['b.md', ['1']], ['a.md', ['2'], { folder: null, mtime: null }]);
        const common = { id: expect.stringMatching(/^file_/), size: 1, pipeline: 'pipeline', indexedAt: 2000 };
        const a = { ...common, key: 'a.md', folder: null, mtime: null, hash: hashOf('2') };
        const b = { ...common, key: 'b.md', folder: 'docs', mtime: 1000, hash: hashOf('1') };
        expect(await store.files()).toEqual([a, b]);
        expect(await store.file('b.md')).toEqual(b);
      });

      it('keep their id when one of the same key is put in their place', async () => {
        const store = await holding(['a.md', ['1'], { tags: { kind: 'old', shelf: '1' } }]);
        const before = await store.file('a.md');
        await store.put(fileToPut('a.md', ['1'], { tags: { kind: 'new' }, metadata: { n: [1, null] } }));
        expect((await store.file('a.md'))?.id).toBe(before?.id);
        const [found] = await search(store, { at: 1 });
        expect(found?.file).toMatchObject({ id: before?.id, tags: { kind: 'new' }, metadata: { n: [1, null] } });
      });

      it('change key and folder by touch, and keep id, passages and embeddings', async () => {
        const store = await holding(['a.md', ['10', '20']]);
        const id = (await store.file('a.md'))?.id ?? '';
        const before = await search(store, { at: 10 });
        await store.touch(id, { key: 'sub/b.md', folder: 'other', size: 7, mtime: 8, indexedAt: 9 });
        expect(await store.files()).toMatchObject([
          { id, key: 'sub/b.md', folder: 'other', size: 7, mtime: 8, indexedAt: 9, hash: hashOf('10\n20') },
        ]);
        const after = await search(store, { at: 10 });
        expect(after.map(({ number, passage }) => [number, passage])).toEqual(
          before.map(({ number, passage }) => [number, passage]),
        );
        expect([after[0]?.file.key, await store.countPending()]).toEqual(['sub/b.md', 0]);
      });

      it('that were moved and are put again keep the ids of unchanged passages', async () => {
        const store = await holding(['a.md', ['10', '20']]);
        const before = await search(store, { at: 10 });
        const id = before[0]?.file.id ?? '';
        await store.touch(id, { key: 'b.md', folder: 'docs', size: 5, mtime: 1, indexedAt: 2 });
        await store.put(fileToPut('b.md', ['10', '30']));
        await store.put(fileToPut('a.md', ['10', '20']));
        await embedAll(store);
        const ids = (await search(store, { at: 10 })).map(({ file, passage }) => [file.key, passage.id]);
        expect(ids.find(([key]) => key === 'b.md')?.[1]).toBe(before[0]?.passage.id);
        expect(new Set(ids.map(([, id]) => id)).size).toBe(4);
      });
    });

    describe('passages', () => {
      it('are slices of the file, with its summary', async () => {
        const store = await holding(['a.md', ['ä10', '😀20'], { tags: { k: 'v' }, metadata: { m: 1 } }]);
        const [{ passage, file } = {}] = await search(store, { at: 20 });
        expect(passage).toEqual({
          id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
          content: '😀20',
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
        await store.put(fileToPut('a.md', ['20', '40', '20', '10']));
        expect(await store.pending({ after: 0, limit: 9 })).toMatchObject([{ text: '40' }]);
        const after = await search(store, { at: 0 });
        const identity = ({ number, passage: { id, content } }: Found) => ({ number, id, content });
        expect(after.map(identity)).toEqual(before.filter(({ passage }) => passage.content !== '30').map(identity));
        expect(after.map(({ passage }) => passage.position)).toEqual([3, 0, 2]);
      });

      it('are given in the order asked for, without those that are gone', async () => {
        const store = await holding(['a.md', ['10', '20', '30']]);
        const [ten, twenty, thirty] = (await search(store, { at: 0 })).map(({ number }) => number) as [
          number,
          number,
          number,
        ];
        await store.put(fileToPut('a.md', ['10', '30']));
        const passages = await store.passages([thirty, 999, twenty, ten]);
        expect(passages.map(({ number, passage }) => [number, passage.content])).toEqual([
          [thirty, '30'],
          [ten, '10'],
        ]);
        expect(await store.passages([])).toEqual([]);
      });

      it('can be windowed: a slice of the text over the passages that there are', async () => {
        const store = await holding(['a.md', ['10', '20', '30', '40']]);
        const { id } = (await store.file('a.md')) ?? { id: '' };
        const windowOf = async (from: number, to: number) => {
          const [{ text, passages } = { text: '', passages: [] }] = await store.windows([{ fileId: id, from, to }]);
          return [text, passages.map(({ position, content }) => `${position}: ${content}`)];
        };
        expect(await windowOf(1, 2)).toEqual(['20\n30', ['1: 20', '2: 30']]);
        expect(await windowOf(-10, 0)).toEqual(['10', ['0: 10']]);
        expect(await windowOf(3, 13)).toEqual(['40', ['3: 40']]);
        expect(await windowOf(-1, 9)).toEqual(['10\n20\n30\n40', ['0: 10', '1: 20', '2: 30', '3: 40']]);
        expect(await windowOf(4, 9)).toEqual(['', []]);
        expect(await store.windows([{ fileId: 'file_unknown', from: 0, to: 9 }])).toEqual([{ text: '', passages: [] }]);
      });
    });

    describe('embeddings', () => {
      it('are pending in order, from behind an id, up to a limit, of one file where its key is given', async () => {
        const store = await create();
        await store.put(fileToPut('a.md', ['3', '1']));
        await store.put(fileToPut('b.md', ['2', '3']));
        const pending = await store.pending({ after: 0, limit: 9 });
        expect(pending.map(({ text }) => text)).toEqual(['3', '1', '2']);
        expect(await store.countPending()).toBe(3);
        expect(await store.pending({ after: 0, limit: 2 })).toEqual(pending.slice(0, 2));
        expect(await store.pending({ after: pending[0]?.id ?? 0, limit: 9 })).toEqual(pending.slice(1));
        const ofB = await store.pending({ after: 0, limit: 9, key: 'b.md' });
        expect(ofB.map(({ text }) => text)).toEqual(['3', '2']);
        expect(await store.pending({ after: 0, limit: 9, key: 'c.md' })).toEqual([]);
      });

      it('of the same text in two files are one, also when the second file comes later', async () => {
        const store = await create();
        await store.put(fileToPut('a.md', ['10']));
        await store.put(fileToPut('b.md', ['10']));
        expect(await store.countPending()).toBe(1);
        await embedAll(store);
        await store.put(fileToPut('c.md', ['10']));
        expect(await store.countPending()).toBe(0);
        expect(await contents(store, { at: 10 })).toEqual(['a.md: 10', 'b.md: 10', 'c.md: 10']);
      });

      it('make their passages found, and not before', async () => {
        const store = await create();
        await store.put(fileToPut('a.md', ['10', '20']));
        expect(await contents(store, { at: 10 })).toEqual([]);
        const [first] = await store.pending({ after: 0, limit: 1 });
        await store.putEmbeddings([{ id: first?.id ?? 0, embedding: at(10) }]);
        expect(await contents(store, { at: 10 })).toEqual(['a.md: 10']);
        await embedAll(store);
        expect(await contents(store, { at: 10 })).toEqual(['a.md: 10', 'a.md: 20']);
      });

      it('of a text that went from one file to another are not asked for again before the store has settled', async () => {
        const store = await holding(['a.md', ['10', '20']]);
        await store.put(fileToPut('a.md', ['10']));
        await store.put(fileToPut('b.md', ['20']));
        expect(await store.countPending()).toBe(0);
        await store.settle();
        expect(await contents(store, { at: 10 })).toEqual(['a.md: 10', 'b.md: 20']);
      });

      it('that come for a text that is gone are dropped, and never taken for another', async () => {
        const store = await create();
        await store.put(fileToPut('a.md', ['10']));
        const [late] = await store.pending({ after: 0, limit: 1 });
        await store.put(fileToPut('a.md', ['90']));
        await store.putEmbeddings([{ id: late?.id ?? 0, embedding: at(10) }]);
        expect(await store.pending({ after: 0, limit: 9 })).toMatchObject([{ text: '90' }]);
        await embedAll(store);
        expect((await store.nearest(at(90), { limit: 1 })).map(({ score }) => score.toFixed(3))).toEqual(['1.000']);
      });

      it.each([
        ['of other dimensions', Float32Array.of(1, 0, 0)],
        ['with NaN', Float32Array.of(Number.NaN, 0)],
        ['of another length than 1', Float32Array.of(3, 4)],
      ])('%s are refused, with all that came with them', async (_name, embedding) => {
        const store = await create();
        await store.put(fileToPut('a.md', ['10', '20']));
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
        await store.put(fileToPut('a.md', ['10', '20']));
        expect(await store.pending({ after: 0, limit: 9 })).toMatchObject([{ text: '10' }]);
      });

      it('removes what of it was still pending, and no more', async () => {
        const store = await create();
        await store.put(fileToPut('a.md', ['10', '20']));
        await store.put(fileToPut('b.md', ['20']));
        await store.remove('a.md');
        expect(await store.pending({ after: 0, limit: 9 })).toMatchObject([{ text: '20' }]);
      });
    });

    describe('nearest', () => {
      it('is best first, at most the limit, with scores from -1 to 1', async () => {
        const store = await holding(['a.md', ['180', '0']], ['b.md', ['60', '90']]);
        const nearest = await store.nearest(at(0), { limit: 9 });
        expect(nearest.map(({ score }) => score.toFixed(3))).toEqual(['1.000', '0.500', '0.000', '-1.000']);
        expect(await store.nearest(at(0), { limit: 2 })).toEqual(nearest.slice(0, 2));
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

      it('is the best of what a filter leaves, however few and far', async () => {
        const near = Array.from({ length: 300 }, (_, i) => `${i % 90}`);
        const store = await holding(['near.md', near], ['far.md', ['150', '140', '160'], { tags: { far: 'yes' } }]);
        expect(await contents(store, { at: 0, limit: 2, tags: { far: 'yes' } })).toEqual([
          'far.md: 140',
          'far.md: 150',
        ]);
      });

      it('follows every change at once', async () => {
        const store = await holding(['a.md', ['10']]);
        expect(await contents(store, { at: 50 })).toEqual(['a.md: 10']);
        await store.put(fileToPut('b.md', ['50']));
        await embedAll(store);
        expect(await contents(store, { at: 50 })).toEqual(['b.md: 50', 'a.md: 10']);
        await store.put(fileToPut('a.md', ['51']));
        await embedAll(store);
        expect(await contents(store, { at: 50 })).toEqual(['b.md: 50', 'a.md: 51']);
        await store.remove('b.md');
        expect(await contents(store, { at: 50 })).toEqual(['a.md: 51']);
      });

      it('is the same when the store has settled', async () => {
        const store = await holding(['a.md', ['10', '20', '30']], ['b.md', ['15']]);
        await store.put(fileToPut('a.md', ['10', '30']));
        const before = await store.nearest(at(0), { limit: 9 });
        await store.settle();
        await store.settle();
        expect(await store.nearest(at(0), { limit: 9 })).toEqual(before);
      });
    });

    it('counts files, passages, embedded passages, files of each folder, and lists warnings', async () => {
      const store = await create();
      expect(await store.counts()).toEqual({ files: 0, passages: 0, embedded: 0, folders: [], warnings: [] });
      await store.put(fileToPut('a.md', ['10', '20'], { warnings: ['w1', 'w2'] }));
      await store.put(fileToPut('b.md', ['20', '20'], { folder: 'other' }));
      await store.put(fileToPut('c.md', ['30'], { folder: null }));
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

type Found = Awaited<ReturnType<PassageStore['passages']>>[number];

/** The passages nearest to an angle, best first, as the store tells them. */
async function search(
  store: PassageStore,
  { at: degrees, limit = 1000, tags }: { at: number; limit?: number; tags?: TagFilter },
): Promise<readonly Found[]> {
  const nearest = await store.nearest(at(degrees), { limit, ...(tags && { tags }) });
  return store.passages(nearest.map(({ id }) => id));
}

/** The same as `file: content`. */
async function contents(store: PassageStore, options: Parameters<typeof search>[1]): Promise<string[]> {
  return (await search(store, options)).map(({ file, passage }) => `${file.key}: ${passage.content}`);
}
