import { describe, expect, it } from 'vitest';
import type { PassageToSet } from 'waymark';
import { filesOf, type OpenService, uploaded } from './support/service.js';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

export function describePassages(open: OpenService): void {
  describe('passages', () => {
    it('are listed in pages, in document order', async () => {
      const files = await filesOf(open);
      const guide = '# Guide\n\nOpening words here.\n\n## One\n\napples for all\n\n## Two\n\n- pears for all\n';
      await uploaded(files, { 'a/b.md': guide });
      const first = await files.listFilePassages({ id: 'a/b.md', limit: 2 });
      const id = expect.stringMatching(UUID);
      expect(first.passages).toEqual([
        { id, content: 'Opening words here.', meta: { type: 'chunk', subtype: 'paragraph', position: 0 } },
        { id, content: 'apples for all', meta: { type: 'chunk', subtype: 'paragraph', position: 1 } },
      ]);
      const { nextToken } = first.meta;
      expect(await files.listFilePassages({ id: 'a/b.md', limit: 2, nextToken })).toEqual({
        passages: [{ id, content: '- pears for all', meta: { type: 'chunk', subtype: 'list', position: 2 } }],
        meta: {},
      });
      expect((await files.listFilePassages({ id: 'a/b.md' })).passages.length).toBe(3);
    });

    it('replace those that the file was cut into, and are found instead', async () => {
      const files = await filesOf(open);
      await uploaded(files, { 'a.md': 'apples\n' });
      const passages: PassageToSet[] = [
        { content: 'pears on a page', type: 'paragraph', pageNumber: 4 },
        { content: '| plums |', type: 'table' },
        { content: 'quinces' },
      ];
      expect(await files.setFilePassages({ id: 'a.md', passages })).toEqual({});
      const listed = await files.listFilePassages({ id: 'a.md' });
      expect(listed.passages.map(({ content, meta }) => [content, meta])).toEqual([
        ['pears on a page', { type: 'chunk', subtype: 'paragraph', position: 0, pageNumber: 4 }],
        ['| plums |', { type: 'chunk', subtype: 'table', position: 1 }],
        ['quinces', { type: 'chunk', subtype: 'paragraph', position: 2 }],
      ]);
      const { passages: found } = await files.searchFiles({ query: 'pears', limit: 1, contextDepth: 0 });
      expect(found.map(({ content, meta }) => [content, meta.position])).toEqual([['pears on a page', 0]]);
      const { passages: all } = await files.searchFiles({ query: 'apples', contextDepth: 0 });
      expect(all.map(({ content }) => content)).not.toContain('apples');
    });

    it('may be an empty list: the file stays and is not found', async () => {
      const files = await filesOf(open);
      await uploaded(files, { 'a.md': 'apples\n' });
      await files.setFilePassages({ id: 'a.md', passages: [] });
      expect(await files.listFilePassages({ id: 'a.md' })).toEqual({ passages: [], meta: {} });
      expect(await files.searchFiles({ query: 'apples' })).toEqual({ passages: [] });
      expect((await files.getFile({ id: 'a.md' })).file.key).toBe('a.md');
    });

    it('are copied with their file, even an empty list: the copy still counts as indexed', async () => {
      const files = await filesOf(open);
      await uploaded(files, { 'a.md': 'apples\n' });
      await files.setFilePassages({ id: 'a.md', passages: [] });
      const { file } = await files.copyFile({ id: 'a.md', destinationKey: 'b.md' });
      expect(file).toMatchObject({ key: 'b.md', index: true, status: 'indexing_completed' });
      expect(await files.listFilePassages({ id: 'b.md' })).toEqual({ passages: [], meta: {} });
    });
  });
}
