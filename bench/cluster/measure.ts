import { openEmbedder, type SearchEngine } from 'waymark';
import { freshQueries } from '../query/fresh-queries.js';
import { corpusQueries } from '../support/corpus/questions.js';
import { log } from '../support/report/progress.js';
import { type Latencies, latenciesOf } from '../support/statistics/latencies.js';
import { syntheticEmbedder } from '../support/synthetic/embedder.js';
import { type TimedEngine, withBothEngines, withCluster } from './both-engines.js';
import { type Indexers, measureIndexers } from './indexers.js';
import { type Load, loadOf } from './load.js';
import type { NodeSize } from './own-cluster.js';

export interface ClusterBenchmarkOptions {
  readonly sizes: readonly number[];
  /** Numbers of clients that search at the same time. */
  readonly clients: readonly number[];
  /** Timed searches of each kind. */
  readonly queries: number;
  /** Passages that are embedded with the bundled model. */
  readonly embedded: number;
}

/** What one of the two engines achieves with so many passages. */
export interface Achieved {
  /** Passages indexed a second, with made-up embeddings. */
  readonly indexing: number;
  /**
   * All of a search except the wait for the embedding of its query, one search at a time, with words not asked before.
   */
  readonly busy: Latencies;
  /** Searches of queries whose embeddings are cached. */
  readonly load: readonly Load[];
}

export interface SizeResult {
  readonly passages: number;
  readonly database: Achieved;
  readonly cluster: Achieved;
  /** MB of the database. */
  readonly databaseSize: number;
  /** After all passages were indexed and searched. */
  readonly nodes: readonly NodeSize[];
  /** Of empty nodes. */
  readonly emptyNodes: readonly NodeSize[];
  /** Share of the first ten hits of the database that the cluster has, too. */
  readonly overlap: number;
}

export interface ClusterResult {
  readonly sizes: readonly SizeResult[];
  /** Passages a second with the bundled model. */
  readonly withModel: { readonly passages: number; readonly database: number; readonly cluster: number };
  readonly indexers: readonly Indexers[];
}

/** Searches before the first that counts. */
const WARM_UP = 20;

/** Queries that both engines answer, to compare what they find. */
const COMPARED = 100;

/** Queries whose embeddings an engine has in its cache. */
const CACHED = 50;

/** Numbers of processes that index at the same time. */
const PROCESSES = [1, 2];

/** Measures both engines in turn; each part has a new cluster, and finds nothing that another has left. */
export async function measureCluster(options: ClusterBenchmarkOptions): Promise<ClusterResult> {
  const sizes: SizeResult[] = [];
  for (const passages of options.sizes) sizes.push(await measureSize(passages, options));
  log('Indexing with the model.');
  const withModel = await measureWithModel(options.embedded);
  const indexers: Indexers[] = [];
  for (const processes of PROCESSES) {
    log(`Processes that index: ${processes}.`);
    indexers.push(await withCluster(({ hosts }) => measureIndexers(hosts, processes)));
  }
  return { sizes, withModel, indexers };
}

function measureSize(passages: number, options: ClusterBenchmarkOptions): Promise<SizeResult> {
  return withBothEngines(syntheticEmbedder, { passages }, async ({ database, cluster, documents, ...sizes }) => {
    const emptyNodes = sizes.nodes();
    const achieved = async (name: string, subject: TimedEngine) => {
      log(`${passages} passages, ${name}: indexing, then searches.`);
      return {
        indexing: await rateOf(subject.engine, { documents, passages }),
        busy: await freshSearches(subject, options),
      };
    };
    const [ofDatabase, ofCluster] = [await achieved('database', database), await achieved('cluster', cluster)];
    const loads: { readonly database: Load[]; readonly cluster: Load[] } = { database: [], cluster: [] };
    for (const clients of options.clients) {
      log(`${passages} passages, ${clients} clients.`);
      loads.database.push(await cachedSearches(database, { clients, queries: options.queries }));
      loads.cluster.push(await cachedSearches(cluster, { clients, queries: options.queries }));
    }
    return {
      passages,
      database: { ...ofDatabase, load: loads.database },
      cluster: { ...ofCluster, load: loads.cluster },
      databaseSize: sizes.databaseSize(),
      nodes: sizes.nodes(),
      emptyNodes,
      overlap: await overlapOf(database.engine, cluster.engine),
    };
  });
}

/** Passages a second of both engines with the bundled model. */
function measureWithModel(passages: number): Promise<ClusterResult['withModel']> {
  const open = async () => (await openEmbedder()).embedder;
  return withBothEngines(open, { passages }, async ({ database, cluster, documents }) => ({
    passages,
    database: await rateOf(database.engine, { documents, passages }),
    cluster: await rateOf(cluster.engine, { documents, passages }),
  }));
}

async function rateOf(
  engine: SearchEngine,
  { documents, passages }: { readonly documents: string; readonly passages: number },
): Promise<number> {
  const started = performance.now();
  const { failed } = await engine.indexFolder(documents);
  const [first] = failed;
  if (first) throw new Error(`${first.key} was not indexed: ${first.reason}.`);
  return passages / ((performance.now() - started) / 1000);
}

/** Searches, one at a time, of queries with words that were not asked before. */
async function freshSearches(
  { engine, clock }: TimedEngine,
  { queries }: { readonly queries: number },
): Promise<Latencies> {
  const queryOf = freshQueries(corpusQueries());
  const busy: number[] = [];
  for (let i = 0; i < WARM_UP + queries; i++) {
    const times = await clock.time(() => engine.searchFiles({ query: queryOf(i) }));
    if (i >= WARM_UP) busy.push(times.busy);
  }
  return latenciesOf(busy);
}

/** Searches of several clients at once, for queries that were asked before. */
async function cachedSearches(
  { engine }: TimedEngine,
  { clients, queries }: { readonly clients: number; readonly queries: number },
): Promise<Load> {
  const asked = corpusQueries().slice(0, CACHED);
  for (const query of asked) await engine.searchFiles({ query });
  const list = Array.from({ length: queries }, (_, i) => asked[i % asked.length] ?? '');
  return loadOf((query) => engine.searchFiles({ query }), { clients, queries: list });
}

/** Share of the first ten hits of one engine that the other has, too. */
async function overlapOf(one: SearchEngine, other: SearchEngine): Promise<number> {
  let [shared, all] = [0, 0];
  for (const query of corpusQueries().slice(0, COMPARED)) {
    const [hits, others] = await Promise.all([one, other].map((engine) => engine.search(query, { limit: 10 })));
    const found = new Set(others?.map(({ file, passage }) => `${file.key} ${passage.position}`));
    for (const { file, passage } of hits ?? []) {
      all += 1;
      if (found.has(`${file.key} ${passage.position}`)) shared += 1;
    }
  }
  return shared / all;
}
