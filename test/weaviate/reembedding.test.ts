import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  createHashEmbedder,
  type EngineOptions,
  openEngine,
  type ReembedOptions,
  reembed,
  type SearchEngine,
} from 'waymark';
import { stemOf } from '#src/sqlite/postings/stems.js';
import { WeaviateAccounts } from '#src/weaviate/accounts/weaviate-accounts.js';
import { Cluster } from '#src/weaviate/connection/cluster.js';
import { ContentPieces } from '#src/weaviate/contents/content-pieces.js';
import { FileHeads } from '#src/weaviate/files/file-heads.js';
import { openWeaviateStorage } from '#src/weaviate/open-storage.js';
import { ReembeddingRecords } from '#src/weaviate/reembedding/reembedding-records.js';
import { recordingEmbedder } from '../support/embedder.js';
import { folderOf } from '../support/folder.js';
import { heldEmbedder } from '../support/held-embedder.js';

const hosts = process.env.WAYMARK_TEST_CLUSTER?.split(',') ?? [];

const section = (name: string, i: number) => `## ${name} ${i}\n\nThe ${name} of row ${i} are ripe in week ${i * 3}.`;
const sections = (name: string) => Array.from({ length: 6 }, (_, i) => section(name, i)).join('\n\n');

/** Long paragraphs are cut differently for a model with a shorter input. */
const DOCS = {
  'docs/apples.md': `# Apples\n\n${sections('apples')}\n`,
  'docs/pears.md': `# Pears\n\n${sections('pears')}\n`,
  'docs/long.md': `# Long\n\n${'Plums are picked by hand, one after the other. '.repeat(30)}\n`,
};
const QUERIES = ['apples of row 3', 'ripe pears week 9', 'plums picked by hand', 'nothing of all this'];

const model = (name: string, options: { dimensions?: number; maxTokens?: number } = {}) =>
  createHashEmbedder({ name, ...options });

describe.skipIf(hosts.length === 0)('re-embedding in a cluster, which WAYMARK_TEST_CLUSTER names', () => {
  let accounts: WeaviateAccounts;
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await Cluster.open({ hosts });
    accounts = new WeaviateAccounts(cluster);
    // An engine creates what is missing in the cluster.
    await (await openEngine({ cluster: { hosts }, model: model('any') })).close();
  });

  afterAll(() => cluster.close());

  async function engineOf(options: Partial<EngineOptions>): Promise<SearchEngine> {
    const engine = await openEngine(options);
    onTestFinished(() => engine.close());
    return engine;
  }

  /** A bot with the files of a folder, and what else was given, embedded with `old`. */
  async function filledBot() {
    const { id: bot } = await accounts.bots.create({ name: undefined, tags: {}, workspace: undefined });
    onTestFinished(() => accounts.bots.remove(bot));
    const folder = path.join(folderOf(DOCS), 'docs');
    const open = (name: string, options?: Parameters<typeof model>[1]) =>
      engineOf({ cluster: { hosts }, bot, model: model(name, options) });
    const run = (embedder: EngineOptions['model'], options: Partial<ReembedOptions> = {}) =>
      reembed({ cluster: { hosts }, bot, model: embedder, ...options });
    const old = await open('old');
    await fill(old, folder);
    return { bot, folder, open, run, old };
  }

  it.each([
    ['of the same dimensions', {}],
    ['of other dimensions', { dimensions: 48 }],
    ['with a shorter input', { maxTokens: 24 }],
  ])('files re-embedded with a model %s are found as in a database that was indexed with it', async (_, options) => {
    const { folder, open, run } = await filledBot();
    const result = await run(model('new', options));
    expect(result).toMatchObject({ changed: true, model: 'new', files: 4 });
    const engine = await open('new', options);
    expect(await engine.status()).toMatchObject({ passages: result.passages, embedded: result.passages });
    const fresh = await engineOf({ database: path.join(folderOf(), 'waymark.db'), model: model('new', options) });
    await fill(fresh, folder);
    expect(await answers(engine)).toEqual(await answers(fresh));
    expect(await engine.indexFolder(folder)).toMatchObject({ added: 0, updated: 0, unchanged: 3 });
  });

  it('searches use the old model until a run is complete; a stopped run is reported and continued', async () => {
    const { open, run, old } = await filledBot();
    const before = await answers(old);
    const stopping = new AbortController();
    const { embedder, embedded } = recordingEmbedder(model('new'));
    const onProgress: ReembedOptions['onProgress'] = ({ phase, passages }) => {
      if (phase === 'embed' && passages.done > 0) stopping.abort();
    };
    await expect(run(embedder, { signal: stopping.signal, onProgress })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await answers(old)).toEqual(before);
    const { passages, reembedding } = await old.status();
    expect(reembedding).toEqual({ model: 'new', files: 4, passages, embedded: embedded.length });
    const first = embedded.length;
    const result = await run(embedder);
    expect(result.embedded).toBe(embedded.length - first);
    expect(new Set(embedded).size).toBe(embedded.length);
    expect((await (await open('new')).status()).reembedding).toBeUndefined();
  });

  it('a run covers files that are added, changed, cut again or removed while it goes on', async () => {
    const { open, run, old } = await filledBot();
    const held = heldEmbedder({ hash: model('new') });
    const running = run(held.embedder);
    await held.asked;
    await old.indexFile('1', 'Grapes.');
    await old.setPassages({ ...SET, passages: [{ content: CHERRIES, subtype: 'paragraph', page: 7 }] });
    await old.removeFile('pears.md');
    held.letGo();
    expect(await running).toMatchObject({ changed: true, files: 4 });
    const engine = await open('new');
    const files = await Promise.all(
      ['grapes', 'cherries', 'pears'].map((query) => engine.search(query, { mode: 'lexical' })),
    );
    expect(
      files.map((hits) => hits.map(({ file, passage }) => [file.key, passage.content, passage.pageNumber])),
    ).toEqual([[['1', 'Grapes.', undefined]], [['set.pdf', CHERRIES, 7]], []]);
  });

  it('an engine that is open while another model replaces its own throws MODEL_MISMATCH', async () => {
    const { run, old, folder } = await filledBot();
    await old.search('apples');
    await run(model('new', { dimensions: 48 }));
    const works = [
      () => old.search('apples'),
      () => old.search('apples', { mode: 'lexical' }),
      () => old.indexFile('a', 'pears'),
      () => old.indexFolder(folder),
      () => old.removeFile('apples.md'),
      () => old.coverage(),
      () => old.status(),
    ];
    for (const work of works) {
      await expect(work()).rejects.toMatchObject({
        code: 'MODEL_MISMATCH',
        message: expect.stringMatching(/re-embedded with new since it was opened with old: open it again\.$/),
      });
    }
  });

  it('a run that another process has completed before this one begins leaves everything as it is', async () => {
    const { bot, open, run } = await filledBot();
    const { card } = model('new');
    const storage = await openWeaviateStorage({ hosts }, { create: false, stem: stemOf, onStage: undefined });
    onTestFinished(() => storage.close());
    const late = await storage.reembeddings.open(bot, { card, location: undefined });
    await run(model('new'));
    const engine = await open('new');
    const before = await answers(engine);
    await late.begin();
    expect(await late.switchOver()).toBe(true);
    expect(await answers(engine)).toEqual(before);
  });

  it('runs of several processes with the same model end with all passages', async () => {
    const { run, open, folder } = await filledBot();
    await Promise.all([run(model('new')), run(model('new')), run(model('new'))]);
    const engine = await open('new');
    const fresh = await engineOf({ database: path.join(folderOf(), 'waymark.db'), model: model('new') });
    await fill(fresh, folder);
    expect(await answers(engine)).toEqual(await answers(fresh));
  });

  it('a file that was staged after its re-embedding had been completed is staged again by the next one', async () => {
    const { bot, run, open } = await filledBot();
    const head = await new FileHeads(cluster, bot).find('pears.md');
    const { id: fileId = '', key = '', generation, pipeline = '', passages = 0 } = head ?? {};
    const late = { fileId, key, generation: String(generation), pipeline: String(pipeline), warnings: [], passages };
    await new ReembeddingRecords(cluster, bot).staged.put({ id: fileId, body: late });
    await run(model('new'));
    const hits = await (await open('new')).search('pears of row 3');
    expect(hits[0]?.file.key).toBe('pears.md');
  });

  it('a file whose text the cluster has lost ends a run with its name', async () => {
    const { bot, run } = await filledBot();
    const { generation } = (await new FileHeads(cluster, bot).find('pears.md')) ?? {};
    await new ContentPieces(cluster, bot).remove(String(generation));
    await expect(run(model('new'))).rejects.toMatchObject({
      code: 'DATABASE_DAMAGED',
      message: expect.stringMatching(/^Parts of "pears\.md" are missing in the cluster: /),
    });
  });

  it('a run with another model discards what was staged', async () => {
    const { open, run, old } = await filledBot();
    const stopping = new AbortController();
    const onProgress: ReembedOptions['onProgress'] = ({ phase, passages }) => {
      if (phase === 'embed' && passages.done > 0) stopping.abort();
    };
    await expect(run(model('new'), { signal: stopping.signal, onProgress })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await run(model('third'))).toMatchObject({ changed: true, model: 'third', files: 4 });
    await expect(old.status()).rejects.toMatchObject({ code: 'MODEL_MISMATCH' });
    const { passages, embedded, reembedding } = await (await open('third')).status();
    expect([embedded, reembedding]).toEqual([passages, undefined]);
  });
});

const CHERRIES = 'Cherries are red.\n\nCherries\nare small.';
const SET = { key: 'set.pdf', contentType: 'application/pdf', tags: {}, metadata: {} };

async function fill(engine: SearchEngine, folder: string): Promise<void> {
  await engine.indexFolder(folder);
  await engine.setPassages({
    ...SET,
    passages: [
      { content: 'Cherries are red.', subtype: 'paragraph', page: 1 },
      { content: 'Cherries\nare small.', subtype: 'list', page: 2 },
    ],
  });
}

/** All hits, without what differs between two engines with the same files. */
async function answers(engine: SearchEngine): Promise<unknown> {
  const found = [];
  for (const query of QUERIES) {
    for (const mode of ['dense', 'lexical', 'hybrid'] as const) {
      const hits = await engine.search(query, { limit: 50, mode });
      const shown = hits.map(({ score, passage: { id: _, ...passage }, file: { key } }) => ({
        ...{ score: score.toFixed(4), passage, key },
      }));
      found.push(shown.sort((a, b) => a.key.localeCompare(b.key) || a.passage.position - b.passage.position));
    }
  }
  return found;
}
