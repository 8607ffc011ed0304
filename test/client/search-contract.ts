import { describe, expect, it } from 'vitest';
import type { FileOperations, SearchFilesRequest, TagFilter } from 'waymark';
import { filesOf, indexed, type OpenService, uploaded } from './support/service.js';

/** Four passages: an introduction and three sections, the last below the third. */
const GUIDE =
  '# Guide\n\nOpening words here.\n\n## Install\n\napples for all\n\n## Configure\n\npears for all\n\n### Limits\n\nplums for all\n';

/** Two passages about pears. */
const PEARS = '# Pears\n\n## Green\n\ngreen pears for all\n\n## Yellow\n\nyellow pears for all\n';

export function describeSearch(open: OpenService): void {
  async function guide(): Promise<FileOperations> {
    const files = await filesOf(open);
    await uploaded(files, { 'guide.md': GUIDE, 'other.md': 'Something else altogether.\n' });
    return files;
  }

  async function best(files: FileOperations, request: Omit<SearchFilesRequest, 'query'>): Promise<string | undefined> {
    const { passages } = await files.searchFiles({ query: 'apples', limit: 1, ...request });
    return passages[0]?.content;
  }

  describe('searchFiles', () => {
    it('answers an empty list for a bot without files', async () => {
      const files = await filesOf(open);
      expect(await files.searchFiles({ query: 'apples' })).toEqual({ passages: [] });
    });

    it('answers exactly the fields of the contract', async () => {
      const files = await guide();
      const { file } = await files.getFile({ id: 'guide.md' });
      const { id, key, contentType, metadata, tags, createdAt, updatedAt } = file;
      const { passages } = await files.searchFiles({ query: 'apples', limit: 1, contextDepth: 0 });
      expect(passages).toStrictEqual([
        {
          content: 'apples for all',
          score: expect.any(Number),
          meta: { type: 'chunk', subtype: 'paragraph', position: 1 },
          file: { id, key, contentType, metadata, tags, createdAt, updatedAt: expect.any(String) },
        },
      ]);
      expect(updatedAt >= createdAt).toBe(true);
    });

    it('includes contextDepth neighbours in the content, by default one', async () => {
      const files = await guide();
      const one = 'Opening words here.\n\n## Install\n\napples for all\n\n## Configure\n\npears for all';
      expect(await best(files, { contextDepth: 0 })).toBe('apples for all');
      expect(await best(files, { contextDepth: 1 })).toBe(one);
      expect(await best(files, {})).toBe(one);
      expect(await best(files, { contextDepth: 10 })).toBe(`${one}\n\n### Limits\n\nplums for all`);
    });

    it('puts the breadcrumb in front with includeBreadcrumb', async () => {
      expect(await best(await guide(), { contextDepth: 0, includeBreadcrumb: true })).toBe(
        'Guide > Install\n\napples for all',
      );
    });

    it('lists the context with withContext', async () => {
      const files = await guide();
      const { passages } = await files.searchFiles({ query: 'apples', limit: 1, withContext: true });
      const id = expect.any(String);
      expect(passages[0]?.context).toEqual(
        expect.arrayContaining([
          { id, text: 'Opening words here.', offset: -1, type: 'preceding' },
          { id, text: 'apples for all', offset: 0, type: 'current' },
          { id, text: 'pears for all', offset: 1, type: 'subsequent' },
        ]),
      );
    });

    it('merges the matches of a file with consolidate', async () => {
      const files = await guide();
      const { passages } = await files.searchFiles({ query: 'apples plums', consolidate: true, contextDepth: 0 });
      expect(passages.map(({ file }) => file.key)[0]).toBe('guide.md');
      expect(new Set(passages.map(({ file }) => file.key)).size).toBe(passages.length);
      expect(passages[0]?.meta.type).toBe('consolidated');
      expect(passages[0]?.content).toMatch(/^# Guide[\s\S]*## Install\n\napples[\s\S]*### Limits\n\nplums/);
    });

    it('answers at most limit passages, the first of a longer answer', async () => {
      const files = await guide();
      const { passages: all } = await files.searchFiles({ query: 'apples', limit: 50 });
      expect(all.length).toBeGreaterThan(2);
      expect((await files.searchFiles({ query: 'apples', limit: 2 })).passages).toEqual(all.slice(0, 2));
    });

    it('accepts any characters in a query', async () => {
      const files = await filesOf(open);
      await uploaded(files, { 'a.md': 'größe & maß = 鍵 + 🔑 100%\n', 'b.md': 'apples\n' });
      const { passages } = await files.searchFiles({ query: 'größe & maß=鍵+🔑 #100% "?', limit: 1 });
      expect(passages.map(({ file }) => file.key)).toEqual(['a.md']);
    });

    it('searches only the files that match the tag filter', async () => {
      const files = await filesOf(open);
      const tagsOf: Readonly<Record<string, Record<string, string>>> = {
        'a.md': { kind: 'fruit', colour: 'red' },
        'b.md': { kind: 'fruit', colour: 'green', 'a.b': '1', '0': 'zero', toString: 'text' },
        'c.md': { kind: 'nut', 'a[b]': 'x', not: 'n' },
        'd.md': {},
      };
      for (const [key, tags] of Object.entries(tagsOf)) {
        await files.uploadFile({ key, content: 'word', tags, index: true });
      }
      for (const key of Object.keys(tagsOf)) await indexed(files, key);
      for (const [tags, keys] of FILTERS) {
        const { passages } = await files.searchFiles({ query: 'word', tags });
        expect([tags, passages.map(({ file }) => file.key).sort()]).toEqual([tags, keys]);
      }
    });

    it('searches in paths, by mode and from a least score', async () => {
      const files = await filesOf(open);
      await uploaded(files, { 'a/one.md': '# Pears\n\nGreen pears.', 'b/two.md': '# Apples\n\nRed apples.' });
      const keys = async (request: Omit<SearchFilesRequest, 'query'>) =>
        (await files.searchFiles({ query: 'pears', ...request })).passages.map(({ file }) => file.key).sort();
      expect(await keys({})).toEqual(['a/one.md', 'b/two.md']);
      expect(await keys({ path: 'b' })).toEqual(['b/two.md']);
      expect(await keys({ path: ['a/*.md', 'none'] })).toEqual(['a/one.md']);
      expect(await keys({ mode: 'lexical' })).toEqual(['a/one.md']);
      expect(await keys({ mode: 'dense' })).toEqual(['a/one.md', 'b/two.md']);
      expect(await keys({ minScore: 1 })).toEqual([]);
    });

    it('answers at most perFile matches of a file, and others in their place', async () => {
      const files = await filesOf(open);
      await uploaded(files, { 'a.md': PEARS, 'b.md': 'Something else altogether.' });
      const keys = async (request: Omit<SearchFilesRequest, 'query'>) =>
        (await files.searchFiles({ query: 'pears', limit: 2, ...request })).passages.map(({ file }) => file.key).sort();
      expect(await keys({})).toEqual(['a.md', 'a.md']);
      expect(await keys({ perFile: 1 })).toEqual(['a.md', 'b.md']);
      expect(await keys({ perFile: 2, limit: 9 })).toEqual(['a.md', 'a.md', 'b.md']);
      await expect(files.searchFiles({ query: 'pears', perFile: 0 })).rejects.toMatchObject({
        message: 'perFile must be an integer from 1 to 50; it is 0.',
      });
    });

    it('adds positions, explanation and highlight on request only', async () => {
      const files = await filesOf(open);
      const text = '---\ntags: [x]\n---\n\n# Fruit\n\nRed apples. Green pears are here. Nuts.';
      await uploaded(files, { 'a.md': text });
      const metaOf = async (request: Omit<SearchFilesRequest, 'query'>) => {
        const { passages } = await files.searchFiles({ query: 'green pears', ...request });
        return passages[0]?.meta;
      };
      const meta = { type: 'chunk', subtype: 'paragraph', position: 0 };
      expect(await metaOf({})).toStrictEqual(meta);
      expect(await metaOf({ positions: false, explain: false, highlight: false })).toStrictEqual(meta);
      const content = 'Red apples. Green pears are here. Nuts.';
      expect(await metaOf({ positions: true })).toStrictEqual({
        ...meta,
        start: text.indexOf(content),
        end: text.length,
        startLine: 7,
        endLine: 7,
        breadcrumb: ['Fruit'],
        display: content,
      });
      expect((await metaOf({ highlight: true }))?.highlight).toStrictEqual({ start: 12, end: 33 });
      expect((await metaOf({ highlight: true, includeBreadcrumb: true }))?.highlight).toStrictEqual({
        start: 19,
        end: 40,
      });
      expect((await metaOf({ highlight: true, consolidate: true }))?.highlight).toStrictEqual({ start: 21, end: 42 });
      expect((await metaOf({ explain: true }))?.explanation).toMatchObject({
        lexical: { terms: ['green', 'pears'] },
        parts: { dense: expect.any(Number) },
      });
    });

    it('refuses a value out of range with the field, the value and the range', async () => {
      const files = await filesOf(open);
      for (const [fields, message] of REFUSED) {
        await expect(files.searchFiles({ query: 'apples', ...fields })).rejects.toMatchObject({
          name: 'WaymarkError',
          code: 'INVALID_ARGUMENT',
          message,
        });
      }
    });
  });
}

const ALL = ['a.md', 'b.md', 'c.md', 'd.md'];

const FILTERS: readonly (readonly [TagFilter, readonly string[]])[] = [
  [{}, ALL],
  [{ kind: 'fruit' }, ['a.md', 'b.md']],
  [{ kind: 'fruit', colour: 'green' }, ['b.md']],
  [{ colour: ['red', 'green'] }, ['a.md', 'b.md']],
  [{ kind: { not: 'fruit' } }, ['c.md', 'd.md']],
  [{ kind: { not: ['fruit', 'nut'] } }, ['d.md']],
  [{ kind: [] }, ALL],
  [{ none: 'x' }, []],
  [{ kind: { in: ['nut', 'x'] } }, ['c.md']],
  [{ kind: { exists: true } }, ['a.md', 'b.md', 'c.md']],
  [{ kind: { not: { exists: true } } }, ['d.md']],
  [{ kind: { exists: true, not: 'nut' } }, ['a.md', 'b.md']],
  [{ 'a.b': { exists: true } }, ['b.md']],
  [{ 'a.b': '1' }, ['b.md']],
  [{ 'a[b]': 'x' }, ['c.md']],
  [{ 0: 'zero' }, ['b.md']],
  [{ not: 'n' }, ['c.md']],
  [{ toString: 'text' }, ['b.md']],
  [{ kind: [...Array.from({ length: 100 }, (_, i) => `kind ${i}`), 'nut'] }, ['c.md']],
];

const REFUSED: readonly (readonly [Partial<SearchFilesRequest>, string])[] = [
  [{ query: ' ' }, 'query must be a non-empty string of at most 2048 bytes; it is " ".'],
  [{ limit: 0 }, 'limit must be an integer from 1 to 50; it is 0.'],
  [{ limit: 51 }, 'limit must be an integer from 1 to 50; it is 51.'],
  [{ contextDepth: -1 }, 'contextDepth must be an integer from 0 to 10; it is -1.'],
  [{ minScore: 2 }, 'minScore must be a number from 0 to 1; it is 2.'],
  [{ mode: 'fuzzy' as 'dense' }, 'mode must be hybrid, dense or lexical; it is "fuzzy".'],
  [{ contextDepth: 0.5 }, 'contextDepth must be an integer from 0 to 10; it is 0.5.'],
  [{ consolidate: true, withContext: true }, 'withContext is not supported with consolidate: use one of them.'],
];
