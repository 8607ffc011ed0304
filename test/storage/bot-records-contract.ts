import { describe, expect, it } from 'vitest';
import type { Storage } from '#src/storage/storage.js';
import { allOf } from './accounts-contract.js';
import { botOf, type FilePorts, fileOf } from './file-records-contract.js';

/** The ports that folders and knowledge bases are kept by. */
export type BotRecordPorts = FilePorts & Pick<Storage, 'folders' | 'knowledgeBases' | 'signingKey'>;

/** What holds for the folders and knowledge bases of bots, and for the signing key, in every storage. */
export function describeBotRecords(name: string, open: () => Promise<BotRecordPorts>): void {
  describe(`records of bots: ${name}`, () => {
    it('folders are listed by name, then by folder; a name belongs to one', async () => {
      const ports = await open();
      const folders = await ports.folders((await botOf(ports)).bot);
      const settings = {
        tags: { a: '1' },
        tagRules: [{ path: 'x', tags: { b: '2' } }],
        ignore: ['*.tmp'],
        seenAt: null,
      };
      await folders.put({ folder: 'docs', name: 'b', ...settings });
      await folders.put({ folder: 'wiki', name: '', ...settings });
      await folders.put({ folder: 'site', name: '', ...settings, tags: {} });
      const taken = folders.put({ folder: 'other', name: 'b', ...settings });
      await expect(taken).rejects.toMatchObject({ code: 'FOLDER_EXISTS' });
      expect((await folders.list()).map(({ folder }) => folder)).toEqual(['site', 'wiki', 'docs']);
      await folders.put({ folder: 'docs', name: 'a', ...settings });
      await folders.markSeen('docs', 7);
      await folders.markSeen('none', 7);
      await folders.remove('wiki');
      await folders.remove('none');
      expect(await folders.list()).toEqual([
        { folder: 'site', name: '', ...settings, tags: {} },
        { folder: 'docs', name: 'a', ...settings, seenAt: 7 },
      ]);
    });

    it('folders are listed in the order of their bytes', async () => {
      const ports = await open();
      const folders = await ports.folders((await botOf(ports)).bot);
      const settings = { name: '', tags: {}, tagRules: [], ignore: [], seenAt: null };
      for (const folder of ['\u{1f600}', '\uff21', 'docs old', 'docs']) await folders.put({ folder, ...settings });
      expect((await folders.list()).map(({ folder }) => folder)).toEqual(['docs', 'docs old', '\uff21', '\u{1f600}']);
    });

    it('a record of a folder is not replaced if it has changed since it was read', async () => {
      const ports = await open();
      const folders = await ports.folders((await botOf(ports)).bot);
      const read = { folder: 'docs', name: 'a', tags: {}, tagRules: [], ignore: [], seenAt: null };
      const changed = { ...read, tags: { a: '1' } };
      expect(await folders.put(read, { expected: undefined })).toBe(true);
      expect(await folders.put({ ...read, name: 'b' }, { expected: undefined })).toBe(false);
      const [expected] = await folders.list();
      expect(await folders.put(changed, { expected })).toBe(true);
      expect(await folders.put({ ...read, name: 'b' }, { expected })).toBe(false);
      expect(await folders.list()).toEqual([changed]);
    });

    it('a knowledge base keeps its id, and is not removed while a file has it as a tag', async () => {
      const ports = await open();
      const { bot, records } = await botOf(ports);
      const bases = await ports.knowledgeBases(bot);
      const base = await bases.create({ name: 'a', tags: { kept: '1', gone: '2' } });
      expect(base.id).toMatch(/^kb_[0-9A-Z]{26}$/);
      expect(await bases.find(base.id)).toEqual(base);
      const updated = await bases.update(base.id, { name: 'b', tags: { gone: null } });
      expect(updated).toEqual({ ...base, name: 'b', tags: { kept: '1' } });
      expect(await bases.update('kb_none', { name: 'b', tags: {} })).toBeUndefined();
      const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`tag ${i}`, 'x']));
      const refused = bases.update(base.id, { name: 'b', tags: many });
      await expect(refused).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
      await records.announce(fileOf('a.md', { tags: { base: base.id } }));
      expect(await bases.remove(base.id, 'base')).toBe(false);
      expect(await bases.remove(base.id, 'other')).toBe(true);
      expect(await bases.find(base.id)).toBeUndefined();
    });

    it('pages list every knowledge base once, by time of creation', async () => {
      const ports = await open();
      const bases = await ports.knowledgeBases((await botOf(ports)).bot);
      for (const base of ['a', 'b', 'c']) await bases.create({ name: base, tags: { base } });
      const read = (tags: Parameters<typeof bases.page>[0]['tags']) =>
        allOf((page) => bases.page({ tags }, { ...page, size: 2, direction: 'desc' }));
      expect((await read({})).map((base) => base.name)).toEqual(['c', 'b', 'a']);
      expect((await read({ base: ['a', 'c'] })).map((base) => base.name)).toEqual(['c', 'a']);
    });

    it('every process signs with the same key', async () => {
      const ports = await open();
      const key = await ports.signingKey();
      expect(key).toHaveLength(32);
      expect(await ports.signingKey()).toEqual(key);
    });
  });
}
