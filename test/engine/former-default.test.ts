import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createHashEmbedder, examine, openEngine, openHost, reembed } from 'waymark';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';
import { newBot } from '../support/new-bot.js';
import { runModule } from '../support/node.js';
import { until } from '../support/until.js';

const FORMER = 'bge-small-en-v1.5';
const PRESENT = 'waymark-docs-small-en';

const APPLES = '# Apples\n\nThey are picked in autumn, and keep through the winter in a cellar.\n';
const PEARS = '# Pears\n\nThey soften within a week, so eat them soon.\n';

/** Said when files of the bot `name` were embedded with the former default model. */
const announcement = (name: string) =>
  `The files of bot "${name}" were embedded with ${FORMER}, the default model of an earlier version. They are being re-embedded with ${PRESENT}: until that is done, searches find them by their words, and changes wait.`;

/** A database as an earlier release left it: embedded with its default model, which it names by its folder. */
async function formerDatabase(fill: (database: string) => Promise<void>): Promise<string> {
  const database = path.join(folderOf(), 'waymark.db');
  await fill(database);
  const connection = new Sqlite(database);
  connection.prepare(`UPDATE models SET source = ? WHERE name = ?`).run(JSON.stringify({ folder: FORMER }), FORMER);
  connection.close();
  return database;
}

function formerModel() {
  return createHashEmbedder({ name: FORMER, dimensions: 384 });
}

function indexed(): Promise<string> {
  return formerDatabase(async (database) => {
    const engine = await openEngine({ database, model: formerModel() });
    await engine.indexFile('apples.md', APPLES);
    await engine.indexFile('pears.md', PEARS);
    await engine.close();
  });
}

test('files of the former default model are re-embedded while the engine answers by words', async () => {
  const warnings: string[] = [];
  const engine = await engineOf({
    database: await indexed(),
    model: undefined,
    onWarning: (message) => warnings.push(message),
  });
  expect(await engine.coverage()).toBe(0);
  const [found] = await engine.search('autumn cellar');
  expect(found?.passage.content).toContain('picked in autumn');
  expect((await engine.status()).embedded).toBe(0);
  expect(await engine.embeddedPassages()).toEqual([]);
  await engine.indexFile('plums.md', '# Plums\n\nDried, they are prunes.\n');
  expect(await engine.coverage()).toBe(1);
  expect(await engine.status()).toMatchObject({ files: 3, passages: 3, embedded: 3, model: { id: PRESENT } });
  expect((await engine.status()).reembedding).toBeUndefined();
  const [meant] = await engine.search('gathered in fall and stored in a basement', { mode: 'dense' });
  expect(meant?.file.key).toBe('apples.md');
  expect(warnings).toEqual([announcement('default')]);
});

test('a re-embedding that was interrupted by closing is continued by the next engine, or by reembed', async () => {
  const database = await indexed();
  const warnings: string[] = [];
  const options = { database, model: undefined, onWarning: (message: string) => warnings.push(message) };
  await (await engineOf(options)).close();
  expect(warnings).toEqual([announcement('default')]);
  expect(await reembed({ database })).toMatchObject({ changed: true, model: PRESENT, files: 2, passages: 2 });
  const engine = await engineOf(options);
  expect(await engine.coverage()).toBe(1);
  expect(warnings).toHaveLength(1);
});

test('a re-embedding that fails is a warning, which may throw, and the engine answers on by words', async () => {
  const database = await formerDatabase(async (file) => {
    const engine = await openEngine({ database: file, model: formerModel() });
    await engine.indexFile('apples.md', APPLES);
    const content = 'antidisestablishmentarianism '.repeat(300);
    const description = { key: 'long.pdf', contentType: 'application/pdf', tags: {}, metadata: {} };
    await engine.setPassages({ ...description, passages: [{ content, subtype: 'paragraph', page: undefined }] });
    await engine.close();
  });
  const warnings: string[] = [];
  const engine = await engineOf({
    database,
    model: undefined,
    onWarning: (message) => {
      warnings.push(message);
      throw new Error('no console');
    },
  });
  await expect(engine.indexFile('pears.md', PEARS)).rejects.toMatchObject({ code: 'TEXT_TOO_LONG' });
  expect(warnings).toEqual([
    announcement('default'),
    expect.stringMatching(
      /^The files of bot "default" could not be re-embedded with waymark-docs-small-en: Passage 1 /,
    ),
  ]);
  expect(await engine.search('autumn cellar')).toMatchObject([{ file: { key: 'apples.md' } }]);
});

test('a re-embedding that fails because another process writes is tried again with the next change', async () => {
  const database = await indexed();
  const warnings: string[] = [];
  const impatient: object = { busyTimeout: 20 };
  await using host = await openHost({ database, onWarning: (message) => void warnings.push(message), ...impatient });
  const other = new Sqlite(database);
  other.exec('BEGIN IMMEDIATE');
  const files = await host.bot('default');
  await until(() => warnings.length > 1);
  expect(warnings[1]).toMatch(/could not be re-embedded with .*: Another process has been writing/);
  other.close();
  await files.uploadFile({ key: 'plums.md', content: '# Plums\n\nDried, they are prunes.\n', index: true });
  await until(() => host.status().pending === 0);
  expect(await files.index.status()).toMatchObject({ files: 3, embedded: 3, model: { id: PRESENT } });
});

/** Re-embeds first while the system allows no process, which Node reports by throwing, then once it does. */
const SHORT_OF_MEMORY = `
  import processes from 'node:child_process';
  import { syncBuiltinESMExports } from 'node:module';

  const { fork } = processes;
  const refuse = () => { throw new Error('spawn ENOMEM'); };
  processes.fork = refuse;
  syncBuiltinESMExports();
  const { openEngine } = await import('waymark');
  const told = [];
  const engine = await new Promise((resolve) => {
    const onWarning = (message) => { if (told.push(message) === 2) resolve(opening); };
    const opening = openEngine({ database: process.argv[1], onWarning });
  });
  processes.fork = fork;
  syncBuiltinESMExports();
  await engine.removeFile('apples.md');
  told.push(await engine.coverage());
  await engine.close();
  console.log(JSON.stringify(told));`;

test('a re-embedding that fails because the system starts no process is tried again with the next change', async () => {
  const { stdout, stderr } = await runModule(SHORT_OF_MEMORY, [await indexed()]);
  expect(stderr).toBe('');
  const failure = expect.stringMatching(/could not be re-embedded with .*spawn ENOMEM/);
  expect(JSON.parse(stdout)).toEqual([announcement('default'), failure, 1]);
});

test('no search fails while a re-embedding ends', async () => {
  const engine = await engineOf({ database: await indexed(), model: undefined, onWarning: () => {} });
  const answered: (string | undefined)[] = [];
  while ((await engine.coverage()) < 1) {
    const found = await Promise.all(['autumn cellar', 'soften'].map((query) => engine.search(query, { limit: 1 })));
    answered.push(...found.map(([hit]) => hit?.file.key));
    // Answers from caches take no turn of the event loop.
    await setImmediate();
  }
  expect(new Set(answered)).toEqual(new Set(['apples.md', 'pears.md']));
});

test('closing an engine that re-embeds rejects the calls that wait for it', async () => {
  const engine = await engineOf({ database: await indexed(), model: undefined, onWarning: () => {} });
  const waiting = expect(engine.removeFile('apples.md')).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  await engine.close();
  await waiting;
});

test('a folder run over a former database reports the re-embedding as its progress', async () => {
  const engine = await engineOf({ database: await indexed(), model: undefined, onWarning: () => {} });
  const embedded: number[] = [];
  const folder = path.join(folderOf({ 'docs/a.md': PEARS }), 'docs');
  await engine.indexFolder(folder, { onProgress: ({ passages }) => embedded.push(passages.done) });
  expect(Math.max(...embedded)).toBe(2);
});

test('a database without files switches from the former default model without a warning', async () => {
  const database = await formerDatabase(async (file) => {
    await (await openEngine({ database: file, model: formerModel() })).close();
  });
  const warnings: string[] = [];
  const engine = await engineOf({ database, model: undefined, onWarning: (message) => warnings.push(message) });
  expect([(await engine.status()).model.id, warnings]).toEqual([PRESENT, []]);
});

test('another model than the successor of the former default is refused', async () => {
  const database = await indexed();
  await expect(openEngine({ database, model: createHashEmbedder() })).rejects.toMatchObject({
    code: 'MODEL_MISMATCH',
    message: `The files of bot "default" were embedded with ${FORMER}, not with this hash: omit the model, index into another bot, or re-embed them with waymark index --reembed.`,
  });
});

test('a host re-embeds bots of the former default model, and uploads wait for it', async () => {
  let botId = '';
  const database = await formerDatabase(async (file) => {
    const host = await openHost({ database: file, model: formerModel() });
    const bot = await newBot(host);
    botId = bot.botId;
    await bot.files.uploadFile({ key: 'apples.md', content: APPLES, index: true });
    await until(() => host.status().pending === 0);
    await host.close();
  });
  const warnings: string[] = [];
  const host = await openHost({ database, processes: 1, onWarning: (message) => warnings.push(message) });
  try {
    const files = await host.bot(botId);
    const ask = async (query: string) => (await files.searchFiles({ query, contextDepth: 0 })).passages[0]?.file.key;
    expect(await ask('autumn cellar')).toBe('apples.md');
    await files.uploadFile({ key: 'pears.md', content: PEARS, index: true });
    await until(() => host.status().pending === 0);
    expect(await ask('fruit that goes soft fast')).toBe('pears.md');
    expect(await files.index.coverage()).toBe(1);
    expect(warnings).toHaveLength(1);
  } finally {
    await host.close();
  }
});

test('the doctor finds no damage in files of the former default model, and says how to re-embed them', async () => {
  const { findings } = await examine({ database: await indexed() });
  expect(findings.filter(({ state }) => state === 'damaged')).toEqual([]);
  expect(findings.find(({ check }) => check === 'model')).toEqual({
    check: 'model',
    bot: 'default',
    state: 'warning',
    message: `The files were embedded with ${FORMER}, the default model of an earlier version: until they are re-embedded, they are found by their words only.`,
    remedy: 're-embed them with: waymark index --reembed',
  });
});
