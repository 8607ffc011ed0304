import { describe, expect, it } from 'vitest';
import type { FileOperations, ListFilesRequest } from 'waymark';
import { inMilliseconds } from '../support/later.js';
import { until } from '../support/until.js';
import { filesOf, indexed, type OpenService, uploaded } from './support/service.js';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function describeFiles(open: OpenService): void {
  describe('files', () => {
    it('are uploaded with their description, and indexed', async () => {
      const { botIds, files: filesOfBot } = await open();
      const files = await filesOfBot(botIds[0]);
      const expiresAt = inMilliseconds(3_600_000);
      const { file } = await files.uploadFile({
        key: 'guides/Äpfel & Birnen?.md',
        content: 'Äpfel\n',
        tags: { kind: 'guide', größe: '' },
        metadata: { weight: 3, shop: { open: true }, none: null },
        contentType: 'text/markdown',
        index: true,
        expiresAt,
      });
      expect(await indexed(files, file.id)).toEqual({
        id: expect.stringMatching(/^file_[0-9A-HJKMNP-TV-Z]{26}$/),
        botId: botIds[0],
        key: 'guides/Äpfel & Birnen?.md',
        url: expect.stringContaining(file.id),
        size: 7,
        contentType: 'text/markdown',
        tags: { kind: 'guide', größe: '' },
        metadata: { weight: 3, shop: { open: true }, none: null },
        createdAt: expect.stringMatching(ISO),
        updatedAt: expect.stringMatching(ISO),
        accessPolicies: [],
        index: true,
        status: 'indexing_completed',
        expiresAt,
        owner: { type: 'bot', id: botIds[0] },
      });
      expect(await files.getFile({ id: 'guides/Äpfel & Birnen?.md' })).toEqual(await files.getFile({ id: file.id }));
    });

    it('are the same from bytes and from a string', async () => {
      const files = await filesOf(open);
      await files.uploadFile({ key: 'a.md', content: new TextEncoder().encode('apples'), index: true });
      await files.uploadFile({ key: 'b.md', content: 'apples', index: true });
      const [a, b] = [await indexed(files, 'a.md'), await indexed(files, 'b.md')];
      expect([a.size, a.status]).toEqual([b.size, b.status]);
      const { passages } = await files.searchFiles({ query: 'apples' });
      expect(passages.map(({ content, file }) => [file.key, content])).toEqual([
        ['a.md', 'apples'],
        ['b.md', 'apples'],
      ]);
    });

    it('are stored but not found without index, and with the reason if their type cannot be indexed', async () => {
      const files = await filesOf(open);
      await files.uploadFile({ key: 'a.md', content: 'apples' });
      expect(await indexed(files, 'a.md')).toMatchObject({ index: false, size: 6, status: 'upload_completed' });
      await files.uploadFile({ key: 'a.png', content: 'apples', index: true });
      expect(await indexed(files, 'a.png')).toMatchObject({
        contentType: 'image/png',
        status: 'indexing_failed',
        failedStatusReason: expect.stringContaining('image/png'),
      });
      expect(await files.searchFiles({ query: 'apples' })).toEqual({ passages: [] });
    });

    it('keep their id when they are uploaded again, with only the new content', async () => {
      const files = await filesOf(open);
      const before = await uploaded(files, { 'a.md': 'apples' });
      const after = await uploaded(files, { 'a.md': 'pears' });
      expect(after['a.md']).toMatchObject({ id: before['a.md']?.id, createdAt: before['a.md']?.createdAt, size: 5 });
      expect((await files.searchFiles({ query: 'pears apples' })).passages.map(({ content }) => content)).toEqual([
        'pears',
      ]);
    });

    it('are listed in pages, filtered and sorted', async () => {
      const files = await filesOf(open);
      await files.uploadFile({ key: 'b.md', content: 'ab', tags: { kind: 'fruit' } });
      await files.uploadFile({ key: 'a.md', content: 'abc', tags: { kind: 'nut' } });
      await files.uploadFile({ key: 'c.md', content: 'a', index: true });
      const { id } = await indexed(files, 'c.md');
      const lists: readonly (readonly [ListFilesRequest, readonly string[]])[] = [
        [{}, ['c.md', 'a.md', 'b.md']],
        [{ sortDirection: 'asc' }, ['b.md', 'a.md', 'c.md']],
        [{ sortField: 'key', sortDirection: 'asc' }, ['a.md', 'b.md', 'c.md']],
        [{ sortField: 'size' }, ['a.md', 'b.md', 'c.md']],
        [{ sortField: 'updatedAt', sortDirection: 'asc' }, ['b.md', 'a.md', 'c.md']],
        [{ sortField: 'status', sortDirection: 'asc', tags: { kind: [] } }, ['c.md', 'b.md', 'a.md']],
        [{ tags: { kind: 'fruit' } }, ['b.md']],
        [{ tags: { kind: { not: ['fruit', 'none'] } } }, ['c.md', 'a.md']],
        [{ ids: [id, 'none'] }, ['c.md']],
        [{ ids: [] }, []],
        [{ indexed: true }, ['c.md']],
        [{ indexed: false }, ['a.md', 'b.md']],
      ];
      for (const [request, keys] of lists) {
        expect([request, (await files.listFiles(request)).files.map(({ key }) => key)]).toEqual([request, keys]);
        expect([request, await keysInPages(files, request)]).toEqual([request, keys]);
      }
    });

    it('are copied with who may read them and when they expire, also under the id of another file', async () => {
      const files = await filesOf(open);
      const expiresAt = inMilliseconds(3_600_000);
      const { file: other } = await files.uploadFile({ key: 'b.md', content: 'b', accessPolicies: ['public_content'] });
      await files.uploadFile({ key: 'set.md', content: 'apples', index: true, expiresAt });
      await files.setFilePassages({ id: 'set.md', passages: [{ content: 'apples' }] });
      await files.uploadFile({ key: 'none.md', content: 'pears', expiresAt });
      for (const id of ['set.md', 'none.md']) {
        const request = { id, destinationKey: other.id, overwrite: id === 'none.md' };
        const { file: copy } = await files.copyFile(request);
        expect(copy).toMatchObject({ key: other.id, accessPolicies: [], expiresAt });
        expect(copy.id).not.toBe(other.id);
      }
      const { file } = await files.getFile({ id: other.id });
      expect(file).toMatchObject({ key: 'b.md', accessPolicies: ['public_content'] });
      expect(file).not.toHaveProperty('expiresAt');
    });

    it('are copied without the tags and metadata of front matter that were deleted', async () => {
      const files = await filesOf(open);
      const content = '---\nteam: core\nlevel: 2\ndraft: yes\n---\n# Apples\n\nApples are red.\n';
      await files.uploadFile({ key: 'a.md', content, index: true, tags: { kind: 'fruit' } });
      const { metadata } = await indexed(files, 'a.md');
      expect(metadata).toEqual({ team: 'core', level: 2, draft: 'yes' });
      await files.updateFileMetadata({ id: 'a.md', tags: { kind: null }, metadata: { team: null, level: 3 } });
      await files.copyFile({ id: 'a.md', destinationKey: 'b.md' });
      // Also a copy of a file that may still wait to be indexed.
      await files.copyFile({ id: 'b.md', destinationKey: 'c.md' });
      for (const key of ['b.md', 'c.md']) {
        expect(await indexed(files, key)).toMatchObject({ tags: {}, metadata: { level: 3, draft: 'yes' } });
        expect((await indexed(files, key)).metadata).not.toHaveProperty('team');
      }
      await files.uploadFile({ key: 'b.md', content, index: true });
      expect((await indexed(files, 'b.md')).metadata).toEqual({ team: 'core', level: 2, draft: 'yes' });
    });

    it('are not listed from an invalid nextToken', async () => {
      const files = await filesOf(open);
      await expect(files.listFiles({ nextToken: 'none-of-ours' })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining('nextToken'),
      });
    });

    it('list tags, values and passages in pages of the requested size', async () => {
      const files = await filesOf(open);
      await files.uploadFile({ key: 'a.md', content: 'a', tags: { a: '1', b: '2', c: '3' } });
      await files.uploadFile({ key: 'b.md', content: 'b', tags: { a: '2' } });
      const { tags, meta } = await files.listFileTags({ pageSize: 2 });
      expect(tags).toEqual(['a', 'b']);
      expect(await files.listFileTags({ pageSize: 2, ...meta })).toEqual({ tags: ['c'], meta: {} });
      const { values, meta: more } = await files.listFileTagValues({ tag: 'a', pageSize: 1 });
      expect(values).toEqual(['1']);
      expect(await files.listFileTagValues({ tag: 'a', pageSize: 1, ...more })).toEqual({ values: ['2'], meta: {} });
      const other = files.listFileTagValues({ tag: 'b', ...more });
      await expect(other).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
      const contents = ['one', 'two', 'three'];
      await files.setFilePassages({ id: 'a.md', passages: contents.map((content) => ({ content })) });
      const first = await files.listFilePassages({ id: 'a.md', pageSize: 2 });
      const rest = await files.listFilePassages({ id: 'a.md', pageSize: 2, ...first.meta });
      expect([first, rest].map(({ passages }) => passages.map(({ content }) => content))).toEqual([
        ['one', 'two'],
        ['three'],
      ]);
      expect(rest.meta).toEqual({});
    });

    it('are listed as indexed once they are, and not while they wait or have failed', async () => {
      const files = await filesOf(open);
      await files.uploadFile({ key: 'a.png', content: 'a', index: true });
      await files.uploadFile({ key: 'b.md', content: 'b', index: true });
      await files.uploadFile({ key: 'c.md', content: 'c', index: false });
      const all = async (indexed: boolean) => (await files.listFiles({ indexed })).files.map(({ key }) => key).sort();
      await until(async () => (await files.getFile({ id: 'a.png' })).file.status === 'indexing_failed');
      await until(async () => (await files.getFile({ id: 'b.md' })).file.status === 'indexing_completed');
      expect([await all(true), await all(false)]).toEqual([['b.md'], ['a.png', 'c.md']]);
    });

    it('have tags whose names and values are listed once each, in order', async () => {
      const files = await filesOf(open);
      expect(await files.listFileTags()).toEqual({ tags: [], meta: {} });
      await files.uploadFile({ key: 'a.md', content: 'a', tags: { kind: 'nut', 'a/b c': '1' } });
      await files.uploadFile({ key: 'b.md', content: 'b', tags: { kind: 'fruit' } });
      await files.uploadFile({ key: 'c.md', content: 'c', tags: { kind: 'nut' } });
      expect(await files.listFileTags()).toEqual({ tags: ['a/b c', 'kind'], meta: {} });
      expect(await files.listFileTagValues({ tag: 'kind' })).toEqual({ values: ['fruit', 'nut'], meta: {} });
      expect(await files.listFileTagValues({ tag: 'a/b c' })).toEqual({ values: ['1'], meta: {} });
      expect(await files.listFileTagValues({ tag: 'none' })).toEqual({ values: [], meta: {} });
    });

    it('have tags and metadata that can be patched: null deletes, other fields stay', async () => {
      const files = await filesOf(open);
      const tags = { kind: 'fruit', shelf: '1' };
      const metadata = { weight: 3, shop: 'corner' };
      await files.uploadFile({ key: 'a/b.md', content: 'apples', tags, metadata, index: true });
      await indexed(files, 'a/b.md');
      const expiresAt = inMilliseconds(3_600_000);
      const { file } = await files.updateFileMetadata({
        id: 'a/b.md',
        tags: { kind: 'nut', shelf: null, none: null },
        metadata: { shop: null, colour: ['red', null] },
        expiresAt,
      });
      expect(file).toMatchObject({ expiresAt });
      expect([file.tags, file.metadata]).toEqual([{ kind: 'nut' }, { weight: 3, colour: ['red', null] }]);
      const found = await files.searchFiles({ query: 'apples', tags: { kind: 'nut' } });
      expect(found.passages.map((passage) => passage.file.metadata)).toEqual([file.metadata]);
      const again = await files.updateFileMetadata({ id: file.id, expiresAt: null });
      expect([again.file.tags, again.file.expiresAt]).toEqual([{ kind: 'nut' }, undefined]);
    });

    it('disappear from lists and searches when they are deleted', async () => {
      const files = await filesOf(open);
      const { 'a.md': a } = await uploaded(files, { 'a.md': 'apples', 'b/c.md': 'apples' });
      expect(await files.deleteFile({ id: a?.id ?? '' })).toEqual({});
      expect(await files.deleteFile({ id: 'b/c.md' })).toEqual({});
      expect(await files.listFiles()).toEqual({ files: [], meta: {} });
      expect(await files.searchFiles({ query: 'apples' })).toEqual({ passages: [] });
      await expect(files.deleteFile({ id: 'b/c.md' })).rejects.toMatchObject({ code: 'FILE_MISSING' });
    });

    it('are FILE_MISSING if they do not exist', async () => {
      const files = await filesOf(open);
      const id = 'none/a.md';
      const asks = [
        files.getFile({ id }),
        files.updateFileMetadata({ id, tags: { a: 'b' } }),
        files.deleteFile({ id }),
        files.listFilePassages({ id }),
        files.setFilePassages({ id, passages: [{ content: 'a' }] }),
      ];
      const missing = {
        status: 'rejected',
        reason: {
          code: 'FILE_MISSING',
          message: 'There is no file "none/a.md": listFiles lists the files of the bot.',
        },
      };
      expect(await Promise.allSettled(asks)).toMatchObject(asks.map(() => missing));
    });

    it('keep the time of their expiry in UTC, and refuse an offset that no place has', async () => {
      const files = await filesOf(open);
      const upload = (expiresAt: string) => files.uploadFile({ key: 'a.md', content: 'a', expiresAt });
      const there = inMilliseconds(86_400_000 + 14 * 3_600_000).replace('Z', '+14:00');
      expect((await upload(there)).file.expiresAt).toBe(new Date(there).toISOString());
      const soon = inMilliseconds(10 * 86_400_000);
      for (const offset of ['+14:01', '+15:00', '-14:01'])
        await expect(upload(soon.replace('Z', offset))).rejects.toMatchObject({
          code: 'INVALID_ARGUMENT',
          message: expect.stringMatching(
            /^expiresAt must be an ISO 8601 time within the next 90 days, at most 14 hours from UTC; it is "/,
          ),
        });
    });

    it('list the empty value of a tag', async () => {
      const files = await filesOf(open);
      await files.uploadFile({ key: 'a.md', content: 'a', tags: { kind: '' } });
      await files.uploadFile({ key: 'b.md', content: 'b', tags: { kind: 'x' } });
      expect((await files.listFileTagValues({ tag: 'kind' })).values).toEqual(['', 'x']);
    });

    it('are refused with the name of the wrong argument, and nothing is stored', async () => {
      const files = await filesOf(open);
      const wrong = { key: 'a.md', content: 'a' };
      const asks: readonly (readonly [() => Promise<unknown>, string])[] = [
        [() => files.uploadFile({ ...wrong, key: 'a\nb' }), 'key'],
        [() => files.uploadFile({ ...wrong, tags: { a: 'b\0' } }), 'tags'],
        [() => files.uploadFile({ ...wrong, expiresAt: 'soon' }), 'expiresAt'],
        [() => files.updateFileMetadata({ id: '' }), 'id'],
        [() => files.listFiles({ ids: Array.from({ length: 51 }, () => 'a') }), 'ids'],
        [() => files.listFilePassages({ id: 'a.md', limit: 0 }), 'limit'],
        [() => files.listFilePassages({ id: 'a.md', pageSize: 201 }), 'pageSize'],
        [() => files.listFileTags({ pageSize: 0 }), 'pageSize'],
        [() => files.listFileTagValues({ tag: 'a', pageSize: 101 }), 'pageSize'],
      ];
      for (const [ask, field] of asks) {
        await expect(ask()).rejects.toMatchObject({
          name: 'WaymarkError',
          code: 'INVALID_ARGUMENT',
          message: expect.stringMatching(`^${field} must be `),
        });
      }
      expect((await files.listFiles()).files).toEqual([]);
    });
  });
}

/** All keys of a list, fetched one by one. */
async function keysInPages(files: FileOperations, request: ListFilesRequest): Promise<string[]> {
  const keys: string[] = [];
  for (let nextToken: string | undefined; ; ) {
    const page = await files.listFiles({ ...request, pageSize: 1, nextToken });
    keys.push(...page.files.map(({ key }) => key));
    nextToken = page.meta.nextToken;
    if (nextToken === undefined) return keys;
    expect(nextToken).toMatch(/^[\w-]+$/);
  }
}
