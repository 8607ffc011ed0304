import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import {
  createHashEmbedder,
  type Embedder,
  examine,
  openEngine,
  openHost,
  type ReembedOptions,
  reembed,
} from 'waymark';
import { recordingEmbedder } from '../support/embedder.js';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';
import { heldEmbedder } from '../support/held-embedder.js';
import { newBot } from '../support/new-bot.js';
import { until } from '../support/until.js';

const section = (name: string, i: number) => `## ${name} ${i}\n\nThe ${name} of row ${i} are ripe in week ${i * 3}.`;
const sections = (name: string) => Array.from({ length: 6 }, (_, i) => section(name, i)).join('\n\n');

/** Files of a folder; long paragraphs are cut differently for a model with a shorter input. */
const DOCS = {
  'apples.md': `---\ntags: { kind: tree }\n---\n\n# Apples\n\n${sections('apples')}\n`,
  'pears.md': `# Pears\n\n${sections('pears')}\n`,
  'long.md': `# Long\n\n${'Plums are picked by hand, one after the other. '.repeat(30)}\n`,
  'notes.bin': 'not read from a folder',
};
const PLAIN = `${'Figs and dates.\n'.repeat(40)}`;
const QUERIES = ['apples of row 3', 'ripe pears week 9', 'plums picked by hand', 'figs', 'nothing of all this'];

const model = (name: string, options: { dimensions?: number; maxTokens?: number } = {}) =>
  createHashEmbedder({ name, ...options });

/** A folder, and a database with its files, a given text, and given passages, embedded with `old`. */
async function databaseOf(): Promise<{ database: string; folder: string }> {
  const root = folderOf(filesIn(DOCS));
  const database = path.join(root, 'waymark.db');
  filled ??= fillNew(root, database);
  writeFileSync(database, await filled);
  return { database, folder: path.join(root, 'docs') };
}

/** The bytes of that database: it is made once. */
let filled: Promise<Uint8Array> | undefined;

async function fillNew(root: string, database: string): Promise<Uint8Array> {
  const engine = await engineOf({ database, model: model('old') });
  await fill(engine, path.join(root, 'docs'));
  await engine.close();
  return readFileSync(database);
}

function filesIn(docs: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(docs).map(([name, text]) => [`docs/${name}`, text]));
}

async function fill(engine: Awaited<ReturnType<typeof openEngine>>, folder: string): Promise<void> {
  await engine.indexFolder(folder, { tags: { from: 'folder' } });
  await engine.indexFile('plain', PLAIN, { contentType: 'text/plain', metadata: { a: 1 }, tags: { b: 'c' } });
  await engine.setPassages({
    key: 'set.pdf',
    contentType: 'application/pdf',
    tags: {},
    metadata: {},
    passages: [
      { content: 'Cherries are red.', subtype: 'paragraph', page: 1 },
      { content: 'Cherries\nare small.', subtype: 'list', page: 2 },
    ],
  });
}

/** All hits, without what differs between two databases of the same files. */
async function answers(engine: Awaited<ReturnType<typeof openEngine>>): Promise<unknown> {
  const found = [];
  for (const query of QUERIES) {
    for (const mode of ['dense', 'lexical', 'hybrid'] as const) {
      const hits = await engine.search(query, { limit: 50, mode, explain: true });
      found.push(
        hits.map(({ score, passage: { id: _, ...passage }, file: { key, tags, metadata }, explanation }) => ({
          score,
          passage,
          file: { key, tags, metadata },
          // Not the ranks: equal scores are ordered by number.
          cosine: explanation?.dense?.cosine,
          bm25: explanation?.lexical?.bm25,
          parts: explanation?.parts,
        })),
      );
    }
  }
  return found;
}

/** What a new index with the model answers; asked once for each model. */
async function freshAnswers(folder: string, embedder: Embedder): Promise<unknown> {
  const { id, dimensions, maxTokens } = embedder.card;
  const key = `${id} ${dimensions} ${maxTokens}`;
  const known = fresh.get(key);
  if (known) return known;
  const engine = await engineOf({ model: embedder });
  await fill(engine, folder);
  const found = await answers(engine);
  fresh.set(key, found);
  return found;
}

const fresh = new Map<string, unknown>();

function look<T>(database: string, sql: string): T[] {
  const connection = new Sqlite(database, { readonly: true });
  try {
    return connection.prepare<[], T>(sql).pluck().all();
  } finally {
    connection.close();
  }
}

const run = (database: string, embedder: Embedder, options: Partial<ReembedOptions> = {}) =>
  reembed({ database, model: embedder, ...options });

test.each([
  ['of the same dimensions', {}],
  ['of other dimensions', { dimensions: 48 }],
  ['with a shorter input', { maxTokens: 24 }],
])('files re-embedded with a model %s are found as if they had been indexed with it', async (_, options) => {
  const { database, folder } = await databaseOf();
  const result = await run(database, model('new', options));
  expect(result).toMatchObject({ changed: true, model: 'new', files: 5 });
  const engine = await engineOf({ database, model: model('new', options) });
  expect(await engine.status()).toMatchObject({ passages: result.passages, embedded: result.passages });
  expect(await answers(engine)).toEqual(await freshAnswers(folder, model('new', options)));
});

test('a long text, which is stored in parts, is re-embedded as a whole', async () => {
  const paragraphs = Array.from({ length: 500 }, (_, i) => `The quinces of row ${i} are ripe in week ${i * 3}.`);
  const database = path.join(folderOf(), 'waymark.db');
  const engine = await engineOf({ database, model: model('old') });
  await engine.indexFile('cut.md', `# Quinces\n\n${paragraphs.join('\n\n')}\n`);
  await engine.setPassages({
    key: 'set.md',
    contentType: 'text/markdown',
    tags: {},
    metadata: {},
    passages: paragraphs.map((content) => ({ content, subtype: 'paragraph' })),
  });
  const read = async (reader: typeof engine) => [
    await reader.searchFiles({ query: 'quinces of row 499', mode: 'lexical', path: 'cut.md', positions: true }),
    await reader.searchFiles({ query: 'quinces of row 499', mode: 'lexical', path: 'set.md', positions: true }),
  ];
  const [before, { passages }] = [await read(engine), await engine.status()];
  await engine.close();
  expect(await run(database, model('new'))).toMatchObject({ changed: true, files: 2, passages });
  const reopened = await engineOf({ database, model: model('new') });
  expect(await read(reopened)).toEqual(before);
});

test('after re-embedding, the folder and the given texts are unchanged', async () => {
  const { database, folder } = await databaseOf();
  await run(database, model('new', { maxTokens: 100 }));
  const engine = await engineOf({ database, model: model('new', { maxTokens: 100 }) });
  expect(await engine.indexFolder(folder, { tags: { from: 'folder' } })).toMatchObject({
    added: 0,
    updated: 0,
    unchanged: 3,
  });
  const given = { contentType: 'text/plain' as const, metadata: { a: 1 }, tags: { b: 'c' } };
  expect(await engine.indexFile('plain', PLAIN, given)).toEqual({ outcome: 'unchanged', warnings: [] });
});

test('re-embedding leaves nothing of the old model or of the staging area', async () => {
  const { database } = await databaseOf();
  await run(database, model('new'));
  expect(look(database, `SELECT DISTINCT name FROM embeddings JOIN models ON models.number = model`)).toEqual(['new']);
  expect(
    look(database, `SELECT count(*) FROM embeddings WHERE number NOT IN (SELECT embedding FROM passages)`),
  ).toEqual([0]);
  for (const table of ['reembeddings', 'staged_files', 'staged_passages', 'unused', 'snapshots', 'snapshot_parts']) {
    expect([table, ...look(database, `SELECT count(*) FROM ${table}`)]).toEqual([table, 0]);
  }
});

test('a passage with the same text keeps its id and its file', async () => {
  const { database } = await databaseOf();
  const before = look(
    database,
    `SELECT passages.id || files.id || position FROM passages JOIN files ON files.number = file`,
  );
  await run(database, model('new'));
  expect(
    look(database, `SELECT passages.id || files.id || position FROM passages JOIN files ON files.number = file`),
  ).toEqual(before);
});

test('searches use the old model until a run is complete; a stopped run is reported and continued', async () => {
  const { database, folder } = await databaseOf();
  const old = await engineOf({ database, model: model('old') });
  const before = await answers(old);
  const stopping = new AbortController();
  const { embedder, embedded } = recordingEmbedder(model('new'));
  const onProgress: ReembedOptions['onProgress'] = ({ phase, passages }) => {
    if (phase === 'embed' && passages.done > 0) stopping.abort();
  };
  const stopped = run(database, embedder, { signal: stopping.signal, onProgress });
  await expect(stopped).rejects.toMatchObject({
    code: 'ABORTED',
    message: 'Stopped. The next run continues from here.',
  });
  expect(embedded.length).toBeGreaterThan(0);
  expect(await answers(old)).toEqual(before);
  const kept = look<number>(
    database,
    `SELECT count(*) FROM embeddings JOIN models ON models.number = model WHERE name = 'new' AND vector IS NOT NULL`,
  );
  const { passages } = await old.status();
  expect((await old.status()).reembedding).toEqual({ model: 'new', files: 5, passages, embedded: embedded.length });
  expect(kept).toEqual([embedded.length]);

  // Indexing with the old model keeps what is staged.
  await old.indexFolder(folder, { tags: { from: 'folder' } });
  const first = [...embedded];
  const result = await run(database, embedder);
  expect(result.embedded).toBe(embedded.length - first.length);
  expect(new Set(embedded).size).toBe(embedded.length);
  const engine = await engineOf({ database, model: model('new') });
  expect((await engine.status()).reembedding).toBeUndefined();
  expect(await answers(engine)).toEqual(await freshAnswers(folder, model('new')));
});

test('a run covers files that are added, changed, cut again or removed while it goes on', async () => {
  const { database, folder } = await databaseOf();
  const old = await engineOf({ database, model: model('old') });
  const held = heldEmbedder({ hash: model('new') });
  const running = run(database, held.embedder);
  await held.asked;
  const set = { key: 'set.pdf', contentType: 'application/pdf', tags: {}, metadata: {} };
  await old.indexFile('1', 'Grapes.');
  await old.indexFile('plain', 'Quinces.', { contentType: 'text/plain' });
  // The same text, cut at another place.
  await old.setPassages({
    ...set,
    passages: [{ content: 'Cherries are red.\n\nCherries\nare small.', subtype: 'paragraph', page: 7 }],
  });
  await old.removeFile('pears.md');
  held.letGo();
  expect(await running).toMatchObject({ changed: true, files: 5 });
  const engine = await engineOf({ database, model: model('new') });
  const words = ['grapes', 'quinces', 'figs', 'cherries', 'pears'];
  const files = await Promise.all(words.map((query) => engine.search(query, { mode: 'lexical' })));
  expect(files.map((hits) => hits.map(({ file, passage }) => [file.key, passage.content, passage.pageNumber]))).toEqual(
    [
      [['1', 'Grapes.', undefined]],
      [['plain', 'Quinces.', undefined]],
      [],
      [['set.pdf', 'Cherries are red.\n\nCherries\nare small.', 7]],
      [],
    ],
  );
  const [grapes] = await engine.search('grapes', { explain: true });
  expect(grapes?.explanation?.dense?.cosine).toBeCloseTo(1, 5);
  expect(await engine.indexFolder(folder, { tags: { from: 'folder' } })).toMatchObject({ added: 1, unchanged: 2 });
});

test.each([
  ['the same', {}],
  ['other', { dimensions: 48 }],
])(
  'an engine that is open while a model of %s dimensions replaces its own throws MODEL_MISMATCH',
  async (_, options) => {
    const { database } = await databaseOf();
    const old = await engineOf({ database, model: model('old') });
    await old.indexFile('a', 'apples');
    await old.search('apples');
    await run(database, model('new', options));
    const message = 'The files of bot "default" were re-embedded with new since it was opened with old: open it again.';
    const set = { key: 'a', contentType: 'text/plain', tags: {}, metadata: {}, passages: [] };
    const works = [
      () => old.search('apples'),
      () => old.search('apples', { mode: 'lexical' }),
      () => old.searchFiles({ query: 'apples' }),
      () => old.indexFile('a', 'pears'),
      () => old.indexFolder(folderOf(DOCS)),
      () => old.setPassages(set),
      () => old.removeFile('apples.md'),
      () => old.removeAll(),
      () => old.coverage(),
      () => old.status(),
    ];
    for (const work of works) await expect(work()).rejects.toMatchObject({ code: 'MODEL_MISMATCH', message });
    await old.close();
    const engine = await engineOf({ database, model: model('new', options) });
    expect((await engine.search('apples', { mode: 'lexical' })).length).toBeGreaterThan(0);
  },
);

test('a write that began before re-embedding changes nothing', async () => {
  const { database } = await databaseOf();
  const held = heldEmbedder({ hash: model('old') });
  const old = await engineOf({ database, model: held.embedder });
  const indexing = old.indexFile('late', 'Late apples.');
  await held.asked;
  await run(database, model('new'));
  held.letGo();
  await expect(indexing).rejects.toMatchObject({ code: 'MODEL_MISMATCH' });
  const engine = await engineOf({ database, model: model('new') });
  expect(await engine.hasFile('late')).toBe(false);
  expect(look(database, `SELECT DISTINCT name FROM embeddings JOIN models ON models.number = model`)).toEqual(['new']);
});

test('a search that began before re-embedding throws MODEL_MISMATCH instead of mixing models', async () => {
  const { database } = await databaseOf();
  const hash = model('old');
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const asked = new Promise<void>((onAsked) => {
    hash.embedQuery = async () => {
      onAsked();
      await gate;
      return model('old').embedQuery('apples');
    };
  });
  const old = await engineOf({ database, model: hash });
  const searching = old.search('apples');
  await asked;
  await run(database, model('new'));
  letGo();
  await expect(searching).rejects.toMatchObject({ code: 'MODEL_MISMATCH' });
});

test('two engines that open a bot without files with two models do not mix them', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const first = await engineOf({ database, model: model('one') });
  const second = await engineOf({ database, model: model('two') });
  await expect(first.indexFile('a', 'apples')).rejects.toMatchObject({ code: 'MODEL_MISMATCH' });
  await second.indexFile('a', 'apples');
  expect(look(database, `SELECT DISTINCT name FROM embeddings JOIN models ON models.number = model`)).toEqual(['two']);
});

test('a given passage that is too long for the model is TEXT_TOO_LONG before anything is embedded', async () => {
  const { database } = await databaseOf();
  const old = await engineOf({ database, model: model('old') });
  const content = 'word '.repeat(60).trim();
  const set = { contentType: 'application/pdf', tags: {}, metadata: {} };
  const passages = ['short', content].map((text) => ({
    content: text,
    subtype: 'paragraph' as const,
    page: undefined,
  }));
  await old.setPassages({ ...set, key: 'manual.pdf', passages });
  const { embedder, embedded } = recordingEmbedder(model('new', { maxTokens: 50 }));
  await expect(run(database, embedder)).rejects.toMatchObject({
    code: 'TEXT_TOO_LONG',
    message:
      'Passage 2 of "manual.pdf" was cut by the program that stored it. It has 62 tokens, and new reads 50: ' +
      'store shorter passages, remove the file, or choose another model.',
  });
  expect(embedded).toEqual([]);
  expect((await old.status()).reembedding).toBeUndefined();
});

test('a run that is stopped while its model is opened leaves no unfinished run', async () => {
  const { database } = await databaseOf();
  const stopping = new AbortController();
  const { counter, ...hash } = model('new');
  const embedder: Embedder = {
    ...hash,
    get counter() {
      stopping.abort();
      return counter;
    },
  };
  await expect(run(database, embedder, { signal: stopping.signal })).rejects.toMatchObject({ code: 'ABORTED' });
  const engine = await engineOf({ database, model: model('old') });
  expect((await engine.status()).reembedding).toBeUndefined();
});

test('a run with the current model embeds nothing and discards an unfinished run', async () => {
  const { database } = await databaseOf();
  await stopped(database, 'new');
  const { embedder, embedded } = recordingEmbedder(model('old'));
  expect(await run(database, embedder)).toMatchObject({ changed: false, model: 'old', files: 5, embedded: 0 });
  expect(embedded).toEqual([]);
  expect(await modelsStored(database)).toEqual(['old']);
});

test.each([
  ['passages', `UPDATE staged_passages SET passage = substr(passage, 2) WHERE number % 7 = 0`],
  ['headings', `UPDATE staged_passages SET passage = replace(passage, 'Pears', 'Peaks')`],
  ['passages in part', `DELETE FROM staged_passages WHERE number % 7 = 0`],
  ['warnings', `UPDATE staged_files SET warnings = '["of another file"]'`],
])('a file whose staged %s are damaged is staged again', async (_, sql) => {
  const { database, folder } = await databaseOf();
  await stopped(database, 'new');
  change(database, sql);
  expect(await run(database, model('new'))).toMatchObject({ changed: true, model: 'new', files: 5 });
  const engine = await engineOf({ database, model: model('new') });
  expect(await answers(engine)).toEqual(await freshAnswers(folder, model('new')));
  expect((await engine.status()).warnings).toEqual([]);
});

test('a repair removes damaged text that is staged for another model; the next run stages its file again', async () => {
  const { database, folder } = await databaseOf();
  const held = heldEmbedder({ hash: model('new') });
  const stopping = new AbortController();
  const running = run(database, held.embedder, { signal: stopping.signal });
  await held.asked;
  stopping.abort();
  await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
  change(database, `UPDATE embeddings SET text = 'x' || text WHERE vector IS NULL`);
  await expect(run(database, model('new'))).rejects.toMatchObject({
    code: 'DATABASE_DAMAGED',
    message: expect.stringMatching(/^A text of \S+ that waits to be embedded is damaged in the database: repair/),
  });
  expect(await examine({ database, model: model('old'), repair: true })).toMatchObject({ state: 'ok' });
  await run(database, model('new'));
  const engine = await engineOf({ database, model: model('new') });
  expect(await answers(engine)).toEqual(await freshAnswers(folder, model('new')));
});

test('a run with a third model replaces a stopped one', async () => {
  const { database } = await databaseOf();
  await stopped(database, 'second');
  expect(await run(database, model('third'))).toMatchObject({ changed: true, model: 'third' });
  expect(await modelsStored(database)).toEqual(['third']);
});

test('a run that another one replaced is ABORTED and leaves the other alone', async () => {
  const { database } = await databaseOf();
  const held = heldEmbedder({ hash: model('second') });
  const first = run(database, held.embedder);
  await held.asked;
  await stopped(database, 'third');
  held.letGo();
  await expect(first).rejects.toMatchObject({
    code: 'ABORTED',
    message:
      'This re-embedding has ended because another one, with third, was started: start it again if you still want it.',
  });
  expect(await run(database, model('third'))).toMatchObject({ changed: true, model: 'third' });
});

test('two concurrent runs with one model both succeed', async () => {
  const { database, folder } = await databaseOf();
  const results = await Promise.all([run(database, model('new')), run(database, model('new'))]);
  expect(results.map(({ model: name, files }) => [name, files])).toEqual([
    ['new', 5],
    ['new', 5],
  ]);
  const engine = await engineOf({ database, model: model('new') });
  expect(await answers(engine)).toEqual(await freshAnswers(folder, model('new')));
});

test('indexing discards a run that was stopped a week ago, and keeps one of yesterday', async () => {
  const { database, folder } = await databaseOf();
  await stopped(database, 'new');
  const indexAfter = async (days: number) => {
    const connection = new Sqlite(database);
    const time = new Date(Date.now() - days * 86_400_000).toISOString();
    connection.prepare(`UPDATE reembeddings SET touched_at = ?`).run(time);
    connection.close();
    const engine = await engineOf({ database, model: model('old') });
    await engine.indexFolder(folder, { tags: { from: 'folder' } });
    await engine.close();
    return modelsStored(database);
  };
  expect(await indexAfter(1)).toEqual(['new', 'old']);
  expect(await indexAfter(8)).toEqual(['old']);
});

test('embeddings are shared with another bot of the same model and survive there', async () => {
  const { database, folder } = await databaseOf();
  const first = await engineOf({ database, model: model('old') });
  await first.createBot({ name: 'other' });
  const other = await engineOf({ database, bot: 'other', model: model('new') });
  await fill(other, folder);
  const before = await answers(other);
  const { embedder, embedded } = recordingEmbedder(model('new'));
  await run(database, embedder);
  expect(embedded).toEqual([]);
  await other.removeFile('pears.md');
  await fill(other, folder);
  expect(await answers(other)).toEqual(before);
});

test('a run for a bot without files records the model', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  await (await openEngine({ database, model: model('old') })).close();
  expect(await run(database, model('new'))).toEqual({
    changed: false,
    model: 'new',
    files: 0,
    passages: 0,
    embedded: 0,
  });
  expect((await (await engineOf({ database, model: model('new') })).status()).model.id).toBe('new');
});

test('re-embedding a missing database or bot is INDEX_MISSING or BOT_MISSING', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  await expect(run(database, model('new'))).rejects.toMatchObject({ code: 'INDEX_MISSING' });
  await (await openEngine({ database, model: model('old') })).close();
  await expect(run(database, model('new'), { bot: 'x' })).rejects.toMatchObject({ code: 'BOT_MISSING' });
});

test('re-embedding rebuilds the HNSW graph', async () => {
  const { database, folder } = await databaseOf();
  const old = await engineOf({ database, model: model('old'), index: 'hnsw' });
  await old.indexFolder(folder);
  await old.close();
  expect(look(database, `SELECT count(*) FROM snapshots`)).toEqual([1]);
  const warnings: string[] = [];
  await run(database, model('new'), { index: 'hnsw', onWarning: (message) => warnings.push(message) });
  const [stored] = look<number>(
    database,
    `SELECT snapshots.sequence = max(changes.sequence) FROM snapshots JOIN changes USING (bot)`,
  );
  expect([stored, warnings]).toEqual([1, []]);
  const engine = await engineOf({ database, model: model('new'), index: 'hnsw' });
  const exact = await engineOf({ database, model: model('new'), index: 'exact' });
  expect(await answers(engine)).toEqual(await answers(exact));
});

test('a host switches to the model that another process re-embedded a bot with', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const bundled = { folder: 'waymark-docs-small-en' };
  const shorter = { ...bundled, card: { maxTokens: 128 } };
  const host = await openHost({ database, model: bundled, processes: 1 });
  try {
    const { botId: id, files } = await newBot(host);
    await files.uploadFile({ key: 'a.md', content: '# Apples\n\nRed and round.\n', index: true });
    await until(() => host.status().pending === 0);
    const ask = async () => (await files.searchFiles({ query: 'round fruit', contextDepth: 0 })).passages[0]?.content;
    expect(await ask()).toBe('Red and round.');
    expect(await reembed({ database, bot: id, model: shorter, processes: 1 })).toMatchObject({ changed: true });
    expect(await ask()).toBe('Red and round.');
    await files.uploadFile({ key: 'b.md', content: '# Pears\n\nGreen and long.\n', index: true });
    await until(() => host.status().pending === 0);
    expect((await files.getFile({ id: 'b.md' })).file.status).toBe('indexing_completed');
    // And back: the first model is still open.
    expect(await reembed({ database, bot: id, model: bundled, processes: 1 })).toMatchObject({
      changed: true,
      files: 2,
    });
    expect(await ask()).toBe('Red and round.');
    expect(await files.index.coverage()).toBe(1);
  } finally {
    await host.close();
  }
});

test('the watch of a host goes on after another process has re-embedded the bot', async () => {
  const folder = folderOf({ 'docs/a.md': 'Apples are red.\n' });
  const docs = path.join(folder, 'docs');
  const database = path.join(folder, 'waymark.db');
  const bundled = { folder: 'waymark-docs-small-en' };
  const host = await openHost({ database, model: bundled, processes: 1 });
  try {
    const { botId: id, files } = await newBot(host);
    await files.index.addFolder(docs);
    await files.index.watch();
    const keys = async () => (await files.listFiles({ sortField: 'key', sortDirection: 'asc' })).files.map(keyOf);
    await until(async () => (await files.index.status()).bot.deployedAt !== undefined);
    await reembed({ database, bot: id, model: { ...bundled, card: { maxTokens: 128 } }, processes: 1 });
    writeFileSync(path.join(docs, 'b.md'), 'Pears are green.\n');
    await until(async () => (await keys()).length === 2);
    // The former engine is closed by now.
    writeFileSync(path.join(docs, 'c.md'), 'Plums are blue.\n');
    await until(async () => (await keys()).length === 3);
    expect(await keys()).toEqual(['docs/a.md', 'docs/b.md', 'docs/c.md']);
  } finally {
    await host.close();
  }
});

test('a host that cannot open the new model is MODEL_MISMATCH and names the embedder', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const host = await openHost({ database, model: model('old') });
  try {
    const { botId: id, files } = await newBot(host);
    await files.uploadFile({ key: 'a.md', content: 'apples', index: true });
    await until(() => host.status().pending === 0);
    await run(database, model('new'), { bot: id });
    await expect(files.searchFiles({ query: 'apples' })).rejects.toMatchObject({
      code: 'MODEL_MISMATCH',
      message: expect.stringMatching(/embedded with new, not with this old: open it with that embedder/),
    });
  } finally {
    await host.close();
  }
});

function keyOf({ key }: { readonly key: string }): string {
  return key;
}

/** Starts a run with a model and stops it halfway. */
async function stopped(database: string, name: string): Promise<void> {
  const stopping = new AbortController();
  const onProgress: ReembedOptions['onProgress'] = ({ phase, passages }) => {
    if (phase === 'embed' && passages.done > 0) stopping.abort();
  };
  const stopped = run(database, model(name), { signal: stopping.signal, onProgress });
  await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
}

/** Changes rows as damage would. */
function change(database: string, sql: string): void {
  const connection = new Sqlite(database);
  expect(connection.prepare(sql).run().changes).toBeGreaterThan(0);
  connection.close();
}

/** Names of the models with stored embeddings. */
async function modelsStored(database: string): Promise<string[]> {
  return look(database, `SELECT DISTINCT name FROM embeddings JOIN models ON models.number = model ORDER BY name`);
}
