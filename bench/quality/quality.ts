import { rmSync } from 'node:fs';
import type { IndexProgress, ModelSource, SearchEngine } from 'waymark';
import { bootstrapMean, type Interval, quantile } from 'waymark/evaluation';
import type { Collection } from '../collections/collection.js';
import { queriesOf, spread } from '../collections/queries.js';
import { agreement } from '../measures/agreement.js';
import type { Run } from '../ranking/run.js';
import { type Asked, ask, SHALLOW } from './ask.js';
import { CACHE, cacheFolderOf, corporaIn } from './cache.js';
import { depthOf, evaluate, type QueryResult } from './evaluate.js';
import { type Indexing, type IndexKind, type IndexOptions, indexCorpus, reopen } from './index-corpus.js';
import { type SummaryRow, summarise } from './summary.js';

export interface QualityOptions {
  /** Ways to rank, by name; all over the same index. */
  readonly modes: ReadonlyMap<string, (engine: SearchEngine) => Run>;
  /** The bundled model unless given. */
  readonly model?: ModelSource | undefined;
  /** `exact` unless given; with `hnsw` its results are compared with those of the exact index. */
  readonly index?: IndexKind | undefined;
  /** Queries at most, spread evenly over the collection. */
  readonly limitQueries?: number | undefined;
  /** Whether an index of an earlier run is deleted first. */
  readonly fresh?: boolean | undefined;
  /** Folder of indexes that are kept between runs; one under the system's temporary folder unless given. */
  readonly cacheRoot?: string | undefined;
  readonly onProgress?: ((corpus: string, progress: IndexProgress) => void) | undefined;
}

export interface QualityResult {
  readonly model: string;
  readonly indexing: readonly Indexing[];
  readonly runs: readonly RunResult[];
}

/** How a way to rank did. */
export interface RunResult {
  readonly mode: string;
  /** Of a search for ten passages, one at a time, with the query's embedding. */
  readonly queryMilliseconds: { readonly median: number; readonly p95: number };
  /** Of the HNSW index against the exact one, over all queries. */
  readonly hnswRecall?: { readonly k: number; readonly queries: number } & Interval;
  readonly summary: readonly SummaryRow[];
  readonly queries: readonly QueryResult[];
}

/** A way to rank, and what it gave. */
interface Asking {
  readonly mode: string;
  readonly runOf: (engine: SearchEngine) => Run;
  readonly asked: Map<string, Asked>;
  /** Of each query, how far the HNSW index agreed with the exact one. */
  readonly agreements: number[];
}

/** Indexes a collection, asks all its queries in every mode, and measures the answers. */
export async function measureQuality(collection: Collection, options: QualityOptions): Promise<QualityResult> {
  const { modes, model, index = 'exact', onProgress } = options;
  const limited = spread(collection, options.limitQueries);
  const cache = cacheFolderOf(collection, { model, root: options.cacheRoot ?? CACHE });
  if (options.fresh) rmSync(cache, { recursive: true, force: true });
  const indexing: Indexing[] = [];
  const records = [...modes].map(([mode, runOf]): Asking => ({ mode, runOf, asked: new Map(), agreements: [] }));
  let modelId = '';

  for (const corpus of corporaIn(cache, collection)) {
    const queries = queriesOf(limited, corpus);
    if (queries.length === 0) continue;
    const opening: IndexOptions = { cache, model, index, onProgress };
    const indexed = await indexCorpus(corpus, opening);
    indexing.push(indexed.indexing);
    await using(indexed.engine, async (engine) => {
      modelId = (await engine.status()).model.id;
      for (const { runOf, asked } of records) {
        const answers = await ask(runOf(engine), { queries, depth: depthOf(limited) });
        for (const [id, answer] of answers) asked.set(id, answer);
      }
    });
    if (index === 'exact') continue;
    await using(await reopen(corpus, { ...opening, index: 'exact' }), async (engine) => {
      for (const record of records) await compare(record, { engine, queries });
    });
  }
  return { model: modelId, indexing, runs: records.map((record) => resultOf(limited, record)) };
}

/** Asks the exact index what was asked of the HNSW one. */
async function compare(
  { runOf, asked, agreements }: Asking,
  { engine, queries }: { engine: SearchEngine; queries: readonly { id: string; text: string }[] },
): Promise<void> {
  const run = runOf(engine);
  for (const { id, text } of queries) {
    agreements.push(agreement(asked.get(id)?.shallow ?? [], await run(text, SHALLOW), { k: SHALLOW }));
  }
}

function resultOf(collection: Collection, { mode, asked, agreements }: Asking): RunResult {
  const queries = evaluate(collection, new Map([...asked].map(([id, { passages }]) => [id, passages])));
  const times = [...asked.values()].map(({ milliseconds }) => milliseconds);
  const hnsw = agreements.length > 0 && { k: SHALLOW, queries: agreements.length, ...bootstrapMean(agreements) };
  return {
    mode,
    queryMilliseconds: { median: quantile(times, 0.5), p95: quantile(times, 0.95) },
    ...(hnsw && { hnswRecall: hnsw }),
    summary: summarise(queries),
    queries,
  };
}

async function using(engine: SearchEngine, work: (engine: SearchEngine) => Promise<void>): Promise<void> {
  try {
    await work(engine);
  } finally {
    await engine.close();
  }
}
