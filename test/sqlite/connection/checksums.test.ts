import { utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHashEmbedder, examine, openHost } from 'waymark';
import { openConnection } from '#src/sqlite/connection/open-connection.js';
import { engineOf } from '../../support/engine.js';
import { folderOf } from '../../support/folder.js';
import { newBot } from '../../support/new-bot.js';
import { until } from '../../support/until.js';

/** A closed index of two files, changed by SQL that does not update the checksums. */
async function damagedBy(sql: string): Promise<string> {
  const database = `${folderOf()}/waymark.db`;
  const engine = await engineOf({ database });
  await engine.indexFile('keys.md', '# Keys\n\nRotate the keys.\n\n## Locks\n\nOil the locks.\n', {
    tags: { kind: 'guide' },
  });
  await engine.indexFile('logs.md', '# Logs\n\nRead the logs.\n');
  await engine.close();
  const connection = openConnection(database, { create: false });
  expect(connection.prepare(sql).run().changes).toBeGreaterThan(0);
  connection.close();
  return database;
}

const KEYS = `(SELECT number FROM files WHERE key = 'keys.md')`;
const SECOND = `file = ${KEYS} AND position = 1`;
const EMBEDDING = `(SELECT embedding FROM passages WHERE ${SECOND})`;

describe('a search is DATABASE_DAMAGED and names what is damaged', () => {
  it.each([
    [
      'a bit of an embedding',
      'The embedding of passage 1 of keys.md',
      `UPDATE embeddings SET vector = CAST(x'01' || substr(vector, 2) AS BLOB) WHERE number = ${EMBEDDING}`,
    ],
    [
      "an embedding in another's place",
      'The embedding of passage 1 of keys.md',
      `UPDATE embeddings SET (vector, checksum) = (SELECT vector, checksum FROM embeddings WHERE number <> ${EMBEDDING})
       WHERE number = ${EMBEDDING}`,
    ],
    ["a passage's end", 'Passage 1 of keys.md', `UPDATE passages SET "end" = "end" - 1 WHERE ${SECOND}`],
    ["a passage's lines", 'Passage 1 of keys.md', `UPDATE passages SET end_line = 70 WHERE ${SECOND}`],
    ["a passage's headings", 'Passage 1 of keys.md', `UPDATE passages SET breadcrumb = '["Kegs"]' WHERE ${SECOND}`],
    [
      "a passage's headings that are not JSON",
      'Passage 1 of keys.md',
      `UPDATE passages SET breadcrumb = '[' WHERE ${SECOND}`,
    ],
    [
      'headings that are not JSON, in a row of an earlier version without a checksum',
      'Passage 1 of keys.md',
      `UPDATE passages SET breadcrumb = '[', checksum = NULL WHERE ${SECOND}`,
    ],
    ["a passage's id", 'Passage 1 of keys.md', `UPDATE passages SET id = '1' WHERE ${SECOND}`],
    ["a passage's page", 'Passage 1 of keys.md', `UPDATE passages SET page = 3 WHERE ${SECOND}`],
    [
      "a file's text",
      'The text of keys.md',
      `UPDATE texts SET text = replace(text, 'Oil', 'Oi1') WHERE file = ${KEYS}`,
    ],
    ["a file's text that is missing", 'The text of keys.md', `DELETE FROM texts WHERE file = ${KEYS}`],
    ["a file's metadata", 'The row of the file keys.md', `UPDATE files SET metadata = '{' WHERE key = 'keys.md'`],
    ["a file's tag", 'The row of the file keys.md', `UPDATE file_tags SET value = 'guise'`],
  ])('%s', async (_name, part, sql) => {
    const engine = await engineOf({ database: await damagedBy(sql), create: false });
    await expect(engine.searchFiles({ query: 'oil the locks', contextDepth: 0 })).rejects.toMatchObject({
      code: 'DATABASE_DAMAGED',
      message: `${part} is damaged in the database: repair it with: waymark doctor --repair`,
    });
  });
});

/** A host with a bot that has one file and a knowledge base, in a database that is then changed by SQL. */
async function damagedHost(sql: string) {
  const database = `${folderOf()}/waymark.db`;
  const host = await openHost({ database, model: createHashEmbedder() });
  onTestFinished(() => host.close());
  const { files: bot, botId, workspaceId } = await newBot(host);
  await bot.uploadFile({ key: 'a.bin', content: 'a', index: false, tags: { kind: 'a' }, metadata: { n: 1 } });
  await bot.createKnowledgeBase({ name: 'Guides', tags: { kind: 'a' } });
  await host.createToken({ workspaceId, name: 'reader', role: 'search', bots: [botId] });
  const connection = openConnection(database, { create: false });
  expect(connection.prepare(sql).run().changes).toBe(1);
  connection.close();
  return { database, host, bot, workspaceId };
}

describe('the row of a file is compared with its checksum when it is listed, read and changed', () => {
  it.each([
    ['metadata', `UPDATE files SET metadata = '{"n":2}'`],
    ['metadata that are not JSON', `UPDATE files SET metadata = '{'`],
    ['a tag', `UPDATE file_tags SET value = 'b'`],
    ['a policy', `UPDATE files SET access_policies = '["public_content"]'`],
  ])('%s', async (_name, sql) => {
    const { bot } = await damagedHost(sql);
    const damaged = {
      code: 'DATABASE_DAMAGED',
      message: 'The row of the file a.bin is damaged in the database: repair it with: waymark doctor --repair',
    };
    await expect(bot.listFiles()).rejects.toMatchObject(damaged);
    await expect(bot.getFile({ id: 'a.bin' })).rejects.toMatchObject(damaged);
    await expect(bot.updateFileMetadata({ id: 'a.bin', metadata: { m: 1 } })).rejects.toMatchObject(damaged);
    // Not hidden by the attempt to change it.
    await expect(bot.getFile({ id: 'a.bin' })).rejects.toMatchObject(damaged);
  });

  it('a damaged file can be uploaded again, and deleted', async () => {
    const { bot } = await damagedHost(`UPDATE files SET metadata = '{'`);
    await bot.uploadFile({ key: 'a.bin', content: 'b', index: false, metadata: { n: 3 } });
    expect((await bot.getFile({ id: 'a.bin' })).file.metadata).toEqual({ n: 3 });
    const { bot: other } = await damagedHost(`UPDATE files SET metadata = '{'`);
    await other.deleteFile({ id: 'a.bin' });
    expect((await other.listFiles()).files).toEqual([]);
  });
});

it('an unchanged file whose row is damaged is not recorded as seen, which would hide the damage', async () => {
  const folder = folderOf({ 'docs/a.md': 'Oil the locks.' });
  const database = `${folder}/waymark.db`;
  const engine = await engineOf({ database });
  await engine.indexFolder(`${folder}/docs`);
  const connection = openConnection(database, { create: false });
  connection.exec(`UPDATE files SET metadata = '{"n":1}'`);
  connection.close();
  utimesSync(`${folder}/docs/a.md`, 1, 1);
  const damaged = {
    code: 'DATABASE_DAMAGED',
    message: 'The row of the file a.md is damaged in the database: repair it with: waymark doctor --repair',
  };
  await expect(engine.indexFolder(`${folder}/docs`)).rejects.toMatchObject(damaged);
  await expect(engine.searchFiles({ query: 'locks' })).rejects.toMatchObject(damaged);
});

describe('JSON of another shape, in a row of an earlier version without a checksum, is DATABASE_DAMAGED', () => {
  it.each([
    ['policies, a text that names one', `UPDATE files SET checksum = NULL, access_policies = '"public_content"'`],
    ['policies, an object', `UPDATE files SET checksum = NULL, access_policies = '{}'`],
    ['policies, a list of numbers', `UPDATE files SET checksum = NULL, access_policies = '[1]'`],
    ['metadata, a list', `UPDATE files SET checksum = NULL, metadata = '[]'`],
  ])('%s', async (_name, sql) => {
    const { database, host, bot } = await damagedHost(sql);
    const damaged = {
      code: 'DATABASE_DAMAGED',
      message: 'The row of the file a.bin is damaged in the database: repair it with: waymark doctor --repair',
    };
    await expect(bot.listFiles()).rejects.toMatchObject(damaged);
    await expect(bot.getFile({ id: 'a.bin' })).rejects.toMatchObject(damaged);
    await host.close();
    const { findings } = await examine({ database, model: createHashEmbedder() });
    expect(findings).toContainEqual({
      check: 'files',
      state: 'damaged',
      bot: 'support',
      message: '1 of 1 file is damaged: a.bin (record).',
      remedy: 'waymark doctor --repair',
    });
  });
});

describe('settings that cannot be read are DATABASE_DAMAGED, and a repair resets them', () => {
  it.each<[string, string, (damaged: Awaited<ReturnType<typeof damagedHost>>) => Promise<unknown>, string]>([
    [
      'the bot support',
      `UPDATE bots SET tags = '{'`,
      async ({ host, workspaceId }) => (await host.workspace(workspaceId)).listBots(),
      'Removed the damaged tags of the bot support.',
    ],
    [
      'the knowledge base Guides',
      `UPDATE knowledge_bases SET tags = '{'`,
      ({ bot }) => bot.listKnowledgeBases(),
      'Removed the damaged tags of the knowledge base Guides.',
    ],
    [
      'the token reader',
      `UPDATE tokens SET bots = '['`,
      ({ host }) => host.listTokens(),
      'Revoked the token reader, whose list of bots was damaged: create another one.',
    ],
    [
      'the bot support',
      `UPDATE bots SET tags = '{"kind":5}'`,
      async ({ host, workspaceId }) => (await host.workspace(workspaceId)).listBots(),
      'Removed the damaged tags of the bot support.',
    ],
    [
      'the token reader',
      `UPDATE tokens SET bots = '""'`,
      ({ host }) => host.listTokens(),
      'Revoked the token reader, whose list of bots was damaged: create another one.',
    ],
    [
      'the token reader',
      `UPDATE tokens SET role = 'sear3h'`,
      ({ host }) => host.listTokens(),
      'Revoked the token reader, whose role was damaged: create another one.',
    ],
    [
      'the token reader',
      `UPDATE tokens SET expires_at = 'r020-01-01T00:00:00.000Z', bots = '{}'`,
      ({ host }) => host.listTokens(),
      'Revoked the token reader, whose list of bots and expiry were damaged: create another one.',
    ],
  ])('of %s', async (name, sql, use, repair) => {
    const damaged = await damagedHost(sql);
    await expect(use(damaged)).rejects.toMatchObject({
      code: 'DATABASE_DAMAGED',
      message: `The row of ${name} is damaged in the database: repair it with: waymark doctor --repair`,
    });
    const { database } = damaged;
    const model = createHashEmbedder();
    const { findings } = await examine({ database, model });
    expect(findings).toContainEqual({
      check: 'settings',
      state: 'damaged',
      message: `The settings of ${name} are damaged.`,
      remedy: 'waymark doctor --repair',
    });
    expect(await examine({ database, model, repair: true })).toMatchObject({ state: 'ok', repaired: [repair] });
    await use(damaged);
  });

  it('of a token, which is left out of a list if its caller asks for that', async () => {
    const { host, workspaceId } = await damagedHost(`UPDATE tokens SET role = 'sear3h'`);
    await host.createToken({ workspaceId, name: 'writer', role: 'member' });
    const damages: string[] = [];
    const tokens = await host.listTokens(workspaceId, { onDamaged: ({ message }) => damages.push(message) });
    expect(tokens.map(({ name }) => name)).toEqual(['writer']);
    expect(damages).toEqual([expect.stringContaining('The row of the token reader is damaged')]);
  });

  it('of a folder, which is forgotten until it is indexed again', async () => {
    const folder = folderOf({ 'docs/a.md': 'Oil the locks.' });
    const database = `${folder}/waymark.db`;
    const engine = await engineOf({ database });
    await engine.indexFolder(`${folder}/docs`, { ignore: ['b.md'] });
    await engine.close();
    const connection = openConnection(database, { create: false });
    connection.exec(`UPDATE folders SET ignore = '['`);
    connection.close();
    const again = await engineOf({ database, create: false });
    await expect(again.indexFolder(`${folder}/docs`)).rejects.toMatchObject({
      code: 'DATABASE_DAMAGED',
      message: 'The row of the folder docs is damaged in the database: repair it with: waymark doctor --repair',
    });
    const repaired = 'Forgot the folder docs, whose settings were damaged: index it again with its settings.';
    expect(await examine({ database, model: createHashEmbedder(), repair: true })).toMatchObject({
      state: 'ok',
      repaired: [repaired],
    });
    await again.indexFolder(`${folder}/docs`, { ignore: ['b.md'] });
    expect((await again.searchFiles({ query: 'locks' })).passages).toHaveLength(1);
  });
});

it('without the key that addresses are signed with no host opens, until a repair makes another', async () => {
  const { database, host } = await damagedHost(`DELETE FROM signing_key`);
  await host.close();
  const model = createHashEmbedder();
  await expect(openHost({ database, model })).rejects.toMatchObject({
    code: 'DATABASE_DAMAGED',
    message:
      'The key that addresses are signed with is damaged in the database: repair it with: waymark doctor --repair',
  });
  expect(await examine({ database, model, repair: true })).toMatchObject({
    state: 'ok',
    repaired: ['Made a new signing key: addresses of file contents that were given out before are no longer valid.'],
  });
  await (await openHost({ database, model })).close();
});

it('the status of an index with warnings that are not JSON is DATABASE_DAMAGED', async () => {
  const database = await damagedBy(`UPDATE files SET warnings = '[' WHERE key = 'keys.md'`);
  const engine = await engineOf({ database, create: false });
  await expect(engine.status()).rejects.toMatchObject({
    code: 'DATABASE_DAMAGED',
    message: 'The row of the file keys.md is damaged in the database: repair it with: waymark doctor --repair',
  });
});

it.each([
  ['other characters', `'x' || text`],
  ['NULL', 'NULL'],
])(
  'a text that waits to be embedded and was changed to %s is DATABASE_DAMAGED, and is not embedded',
  async (_name, text) => {
    const folder = folderOf({ 'docs/a.md': 'Oil the locks.' });
    const database = `${folder}/waymark.db`;
    const failing = { ...createHashEmbedder(), embedPassages: () => Promise.reject(new Error('no memory')) };
    const interrupted = await engineOf({ database, model: failing });
    await expect(interrupted.indexFolder(`${folder}/docs`)).rejects.toMatchObject({ code: 'EMBEDDER_FAILED' });
    const connection = openConnection(database, { create: false });
    connection.exec(`UPDATE embeddings SET text = ${text}`);
    connection.close();
    const engine = await engineOf({ database });
    await expect(engine.indexFolder(`${folder}/docs`)).rejects.toMatchObject({
      code: 'DATABASE_DAMAGED',
      message:
        'A text of a.md that waits to be embedded is damaged in the database: repair it with: waymark doctor --repair',
    });
    expect(await examine({ database, model: createHashEmbedder(), repair: true })).toMatchObject({ state: 'ok' });
    expect(await engine.indexFolder(`${folder}/docs`)).toMatchObject({ unchanged: 1 });
    expect((await engine.search('oil', { mode: 'dense' }))[0]?.passage.content).toBe('Oil the locks.');
  },
);

describe('checksums follow every change', () => {
  it('of uploaded, patched and set files', async () => {
    const database = `${folderOf()}/waymark.db`;
    const host = await openHost({ database, model: createHashEmbedder() });
    const { files: bot } = await newBot(host);
    const { file } = await bot.uploadFile({ key: 'a.md', content: '\uFEFF# A\r\n\r\nNUL \0 and é\r\n', index: true });
    await until(() => host.status().pending === 0);
    expect(await bot.getFile({ id: 'a.md' })).toMatchObject({ file: { status: 'indexing_completed' } });
    await bot.updateFileMetadata({ id: file.id, tags: { kind: 'x' }, metadata: { n: 1 } });
    expect((await bot.searchFiles({ query: 'nul' })).passages).toHaveLength(1);
    await bot.uploadFile({ key: 'b.bin', content: Uint8Array.of(255, 0), index: false });
    await bot.setFilePassages({ id: 'b.bin', passages: [{ content: 'given' }] });
    expect((await bot.searchFiles({ query: 'given' })).passages[0]?.content).toBe('given');
    expect(await (await bot.content('b.bin')).bytes()).toEqual(Buffer.of(255, 0));
    await bot.upsertFile({ key: 'a.md', size: 3 });
    expect((await bot.searchFiles({ query: 'nul' })).passages[0]?.content).toBe('NUL \0 and é');
    await host.close();
  });

  it('an upload does not hide that the row of its file is damaged', async () => {
    const database = `${folderOf()}/waymark.db`;
    const host = await openHost({ database, model: createHashEmbedder() });
    const { files: bot } = await newBot(host);
    await bot.uploadFile({ key: 'a.md', content: 'A pump.', index: true });
    await until(() => host.status().pending === 0);
    const { file } = await bot.upsertFile({ key: 'a.md', size: 8, index: true });
    const connection = openConnection(database, { create: false });
    connection.exec(`UPDATE files SET created_at = '2020-01-01T00:00:00.000Z'`);
    connection.close();
    const receiving = host.receive(path.posix.basename(file.uploadUrl), Buffer.from('A valve.'));
    await expect(receiving).rejects.toMatchObject({ code: 'DATABASE_DAMAGED' });
    await host.close();
  });

  it('damaged uploaded content is not returned', async () => {
    const database = `${folderOf()}/waymark.db`;
    const host = await openHost({ database, model: createHashEmbedder() });
    const { files: bot } = await newBot(host);
    await bot.uploadFile({ key: 'b.bin', content: Uint8Array.of(255, 0), index: false });
    const connection = openConnection(database, { create: false });
    connection.exec(`UPDATE content_parts SET bytes = x'ff01'`);
    connection.close();
    await expect(bot.content('b.bin')).rejects.toMatchObject({
      code: 'DATABASE_DAMAGED',
      message: 'The content of b.bin is damaged in the database: repair it with: waymark doctor --repair',
    });
    await host.close();
  });
});
