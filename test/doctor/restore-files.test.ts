import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BotFiles, createHashEmbedder, openEngine, openHost, reembed } from 'waymark';
import { folderOf } from '../support/folder.js';
import {
  answers,
  answersBefore,
  complaints,
  damage,
  examined,
  fileOf,
  indexed,
  REPAIR,
  replaceBytes,
} from './damaged-database.js';

it('a long text with a part of a wrong type is read again from its folder', async () => {
  const sections = Array.from(
    { length: 1000 },
    (_, i) => `## Wheel ${i}\n\nIt turns ${i} times, with cogs and pins.\n`,
  );
  const text = `# Wheels\n\n${sections.join('\n')}`.slice(0, 40_000);
  const folder = folderOf({ 'docs/long.md': text });
  const database = path.join(folder, 'waymark.db');
  const engine = await openEngine({ database, model: createHashEmbedder() });
  await engine.indexFolder(path.join(folder, 'docs'));
  const before = await engine.searchFiles({ query: 'wheel 400 turns', positions: true });
  await engine.close();
  // Of the header of the second part's record: an integer of two bytes, and the type of a text of 16,384 characters,
  // which becomes that of a blob.
  replaceBytes(database, Buffer.from([2, 0x82, 0x80, 0x0d]), Buffer.from([2, 0x82, 0x80, 0x0c]));
  expect(complaints(await examined(database))).toEqual([
    `structure damaged: The database is damaged: text_parts.text has a value of a wrong type. Next: ${REPAIR}`,
    `files damaged: 1 of 1 file is damaged: long.md (text). Next: ${REPAIR}`,
  ]);
  const { repaired, ...after } = await examined(database, { repair: true });
  expect(repaired).toContain('Read long.md from the folder again.');
  expect(complaints({ repaired, ...after })).toEqual([]);
  const reopened = await openEngine({ database, model: createHashEmbedder() });
  const found = await reopened.searchFiles({ query: 'wheel 400 turns', positions: true });
  await reopened.close();
  expect(found.passages.map(({ content }) => content)).toEqual(before.passages.map(({ content }) => content));
});

it('a file with a damaged text and an intact record keeps its id, expiry and access', async () => {
  const root = folderOf({ 'docs/a.md': 'Rotate the keys.' });
  const options = { database: path.join(root, 'waymark.db'), model: createHashEmbedder() };
  const engine = await openEngine(options);
  await engine.indexFolder(path.join(root, 'docs'));
  await engine.close();
  const recorded = async (change?: Parameters<BotFiles['updateFileMetadata']>[0]) => {
    const host = await openHost(options);
    const files = await host.bot('default');
    if (change) await files.updateFileMetadata(change);
    const { file } = await files.getFile({ id: 'a.md' });
    await host.close();
    return { ...file, updatedAt: '', url: '' };
  };
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const before = await recorded({ id: 'a.md', expiresAt, accessPolicies: ['public_content'] });
  damage(options.database, `UPDATE texts SET text = replace(text, 'keys', 'kegs')`);
  expect((await examined(options.database, { repair: true })).repaired).toContain('Read a.md from the folder again.');
  expect(await recorded()).toEqual(before);
});

describe('a file that cannot be restored', () => {
  it('does not keep the other files from being embedded with another model', async () => {
    const database = await indexed();
    damage(database, `UPDATE texts SET text = replace(text, 'say', 'lay') WHERE file = ${fileOf('given.md')}`);
    await examined(database, { repair: true });
    const model = createHashEmbedder({ dimensions: 64 });
    await reembed({ database, model });
    const engine = await openEngine({ database, model });
    expect((await engine.search('rotate the keys')).map(({ file }) => file.key)).toContain('keys.md');
    await engine.close();
  });

  it('is excluded from search until it is given again', async () => {
    const database = await indexed();
    damage(database, `UPDATE texts SET text = replace(text, 'say', 'lay') WHERE file = ${fileOf('given.md')}`);
    const { repaired, ...left } = await examined(database, { repair: true });
    expect(repaired).toContain('Excluded given.md from search: index it again.');
    const again = 'index or upload given.md again, or remove it with: waymark remove <key>';
    expect(complaints({ ...left, repaired })).toEqual([
      `files damaged: 1 of 3 files is damaged: given.md (text). Next: ${again}`,
    ]);
    const engine = await openEngine({ database, model: createHashEmbedder() });
    expect((await engine.search('what programs say')).map(({ file }) => file.key)).not.toContain('given.md');
    await engine.indexFile('given.md', '# Given\n\nThis is what programs say.\n');
    await engine.close();
    expect(complaints(await examined(database))).toEqual([]);
    expect(await answers(database)).toEqual(await answersBefore());
  });

  it('is excluded from search if it is no longer in its folder', async () => {
    const database = await indexed();
    damage(database, `UPDATE texts SET text = 'other' WHERE file = ${fileOf('keys.md')}`);
    rmSync(path.join(path.dirname(database), 'docs', 'keys.md'));
    const { repaired } = await examined(database, { repair: true });
    expect(repaired).toContain('Excluded keys.md from search: index it again.');
    const engine = await openEngine({ database, model: createHashEmbedder() });
    expect((await engine.search('oil the locks')).map(({ file }) => file.key)).not.toContain('keys.md');
    expect(await engine.removeFile('keys.md')).toBe(true);
    await engine.close();
    expect(complaints(await examined(database))).toEqual([]);
  });
});

describe('a text that a damaged bit turned into a blob', () => {
  /**
   * A record's header: its length, a null, the type of the text, whose lowest bit tells a text from a blob, and that of
   * the checksum.
   */
  const record = (type: number, start: string) => Buffer.concat([Buffer.from([4, 0, type, 4]), Buffer.from(start)]);

  it('is refused by a search, and read from its folder again', async () => {
    const database = await indexed();
    const type = 13 + 2 * '# Keys\n\nRotate the keys.\n\n## Locks\n\nOil the locks and the padlock.\n'.length;
    expect(type).toBeGreaterThan(127);
    // A varint of two bytes.
    const [high, low] = [128 + (type >> 7), type & 127];
    const start = Buffer.from('\x04# Keys\n');
    replaceBytes(
      database,
      Buffer.concat([Buffer.from([high, low]), start]),
      Buffer.concat([Buffer.from([high, low ^ 1]), start]),
    );
    await expect(answers(database)).rejects.toMatchObject({ code: 'DATABASE_DAMAGED' });
    const { repaired } = await examined(database, { repair: true });
    expect(repaired).toContain('Read keys.md from the folder again.');
    expect([complaints(await examined(database)), await answers(database)]).toEqual([[], await answersBefore()]);
  });

  it('is read again from a folder with a name', async () => {
    const root = folderOf({ 'docs/keys.md': 'Rotate the keys.', 'docs/logs.md': 'Read the logs.' });
    const database = path.join(root, 'waymark.db');
    const engine = await openEngine({ database, model: createHashEmbedder() });
    await engine.addFolder(path.join(root, 'docs'), { name: 'guides' });
    await engine.indexFolders();
    await engine.close();
    damage(database, `UPDATE files SET title = 'changed' WHERE key = 'guides/keys.md'`);
    const { repaired } = await examined(database, { repair: true });
    expect(repaired).toContain('Read guides/keys.md from the folder again.');
    expect(complaints(await examined(database))).toEqual([]);
  });

  it('is excluded from search if it came from no folder', async () => {
    const database = await indexed();
    const type = 13 + 2 * '# Given\n\nThis is what programs say.\n'.length;
    replaceBytes(database, record(type, '# Given'), record(type ^ 1, '# Given'));
    const { repaired } = await examined(database, { repair: true });
    expect(repaired).toContain('Excluded given.md from search: index it again.');
  });
});

describe('the settings that a file was cut with', () => {
  it('are taken from another file of the folder', async () => {
    const database = await indexed();
    damage(
      database,
      `UPDATE files SET pipeline = replace(pipeline, '"shelf":"a"', '"shelf":"c"') WHERE key = 'keys.md'`,
    );
    const { repaired } = await examined(database, { repair: true });
    expect(repaired).toContain('Read keys.md from the folder again.');
    expect([complaints(await examined(database)), await answers(database)]).toEqual([[], await answersBefore()]);
  });

  it('are taken from another file except for the tags, which the folder gives', async () => {
    const root = folderOf({ 'docs/admin/keys.md': 'Rotate the keys.', 'docs/logs.md': 'Read the logs.' });
    const database = path.join(root, 'waymark.db');
    const engine = await openEngine({ database, model: createHashEmbedder() });
    const tagRules = [{ path: 'admin', tags: { audience: 'admin' } }];
    await engine.addFolder(path.join(root, 'docs'), { name: 'guides', tags: { audience: 'all' }, tagRules });
    await engine.indexFolders();
    await engine.close();
    damage(database, `UPDATE files SET title = 'changed' WHERE key = 'guides/admin/keys.md'`);
    const { repaired } = await examined(database, { repair: true });
    expect(repaired).toContain('Read guides/admin/keys.md from the folder again.');
    const reopened = await openEngine({ database, model: createHashEmbedder() });
    expect(await reopened.search('rotate', { limit: 1 })).toMatchObject([{ file: { tags: { audience: 'admin' } } }]);
    expect(await reopened.indexFolders()).toMatchObject([{ result: { updated: 0, failed: [] } }]);
    await reopened.close();
  });

  it('are unknown without another file: the folder must be indexed again', async () => {
    const folder = folderOf({ 'docs/keys.md': '# Keys\n\nRotate the keys.\n' });
    const database = path.join(folder, 'waymark.db');
    const index = async () => {
      const engine = await openEngine({ database, model: createHashEmbedder() });
      await engine.indexFolder(path.join(folder, 'docs'), { tags: { shelf: 'a' } });
      await engine.close();
    };
    await index();
    damage(database, `UPDATE files SET metadata = '{"kind":"guise"}'`);
    const examination = await examined(database, { repair: true });
    expect(examination.repaired).toContain('Excluded keys.md from search: index it again.');
    expect(examination.state).toBe('damaged');
    await index();
    expect(complaints(await examined(database))).toEqual([]);
    const engine = await openEngine({ database, model: createHashEmbedder() });
    expect(await engine.search('rotate')).toMatchObject([{ file: { tags: { shelf: 'a' }, metadata: {} } }]);
    await engine.close();
  });
});
