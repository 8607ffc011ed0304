import { rmSync } from 'node:fs';
import type { IndexProgress, Mode, ModelSource, SearchEngine } from 'waymark';
import { bootstrapMean, type Interval, quantile } from 'waymark/evaluation';
import type { Collection } from '../support/collections/collection.js';
import { queriesOf, sampled } from '../support/collections/queries.js';
import { CACHE } from '../support/folders/paths.js';
import { cacheFolderOf, corporaIn } from '../support/indexes/collection-cache.js';
import {
  type ForcedIndex,
  type Indexing,
  type IndexOptions,
  indexCorpus,
  reopen,
} from '../support/indexes/index-corpus.js';
import { neighbourRecall } from '../support/measures/neighbour-recall.js';
import { searchRanker } from '../support/ranking/ranker.js';
import { type Answer, ask, SHALLOW } from './ask.js';
import { depthOf, type EvaluatedQuery, evaluate } from './evaluate.js';
import { type CorpusSummaryRow, summariseCorpora } from './summary.js';

/** All modes rank the same index; the first is compared with the others. */
const MODES: readonly Mode[] = ['hybrid', 'dense', 'lexical'];

export interface QualityOptions {
  /** Defaults to the bundled model. */
  readonly model?: ModelSource | undefined;
  /** Defaults to `exact`; the results of `hnsw` are compared with those of `exact`. */
  readonly index?: ForcedIndex | undefined;
  /** At most so many queries, spaced evenly. Defaults to all. */
  readonly limitQueries?: number | undefined;
  /** Delete the cached index first. */
  readonly fresh?: boolean | undefined;
  /** Folder of cached indexes. Defaults to one in the system's temporary folder. */
  readonly cacheRoot?: string | undefined;
  readonly onProgress?: ((corpus: string, progress: IndexProgress) => void) | undefined;
}

export interface QualityResult {
  /** Id of the model. */
  readonly model: string;
  readonly indexing: readonly Indexing[];
  readonly runs: readonly ModeResult[];
}

/** How well a mode answered. */
export interface ModeResult {
  readonly mode: string;
  /**
   * Of a search for ten passages, one at a time; the engine may have cached the query's embedding in an earlier mode.
   */
  readonly queryMilliseconds: { readonly median: number; readonly p95: number };
  /** Recall of the HNSW index against the exact index, over all queries. */
  readonly hnswRecall?: { readonly k: number; readonly queries: number } & Interval;
  readonly summary: readonly CorpusSummaryRow[];
  readonly queries: readonly EvaluatedQuery[];
}

/** What a mode has answered so far. */
interface Run {
  readonly mode: Mode;
  readonly answers: Map<string, Answer>;
  /** Recall of the HNSW index by query. */
  readonly recalls: number[];
}

/** Indexes a collection, asks its queries in every mode, and measures the answers. */
export async function measureQuality(collection: Collection, options: QualityOptions): Promise<QualityResult> {
  const { model, index = 'exact', onProgress } = options;
  const asked = sampled(collection, options.limitQueries);
  const cache = cacheFolderOf(collection, { model, root: options.cacheRoot ?? CACHE });
  if (options.fresh) rmSync(cache, { recursive: true, force: true });
  const indexing: Indexing[] = [];
  const runs = MODES.map((mode): Run => ({ mode, answers: new Map(), recalls: [] }));
  let modelId = '';

  for (const corpus of corporaIn(cache, collection)) {
    const queries = queriesOf(asked, corpus);
    if (queries.length === 0) continue;
    const opening: IndexOptions = { cache, model, index, onProgress };
    const indexed = await indexCorpus(corpus, opening);
    indexing.push(indexed.indexing);
    await using(indexed.engine, async (engine) => {
      modelId = (await engine.status()).model.id;
      for (const { mode, answers } of runs) {
        const given = await ask(searchRanker(engine, mode), { queries, depth: depthOf(asked) });
        for (const [id, answer] of given) answers.set(id, answer);
      }
    });
    if (index === 'exact') continue;
    await using(await reopen(corpus, { ...opening, index: 'exact' }), async (engine) => {
      for (const run of runs) await compareWithExact(run, { engine, queries });
    });
  }
  return { model: modelId, indexing, runs: runs.map((run) => resultOf(asked, run)) };
}

async function compareWithExact(
  { mode, answers, recalls }: Run,
  { engine, queries }: { engine: SearchEngine; queries: readonly { id: string; text: string }[] },
): Promise<void> {
  const ranker = searchRanker(engine, mode);
  const idsOf = (passages: readonly { readonly id: string }[]) => passages.map(({ id }) => id);
  for (const { id, text } of queries) {
    recalls.push(neighbourRecall(idsOf(answers.get(id)?.shallow ?? []), idsOf(await ranker(text, SHALLOW))));
  }
}

function resultOf(collection: Collection, { mode, answers, recalls }: Run): ModeResult {
  const queries = evaluate(collection, new Map([...answers].map(([id, { passages }]) => [id, passages])));
  const times = [...answers.values()].map(({ milliseconds }) => milliseconds);
  const hnswRecall = recalls.length > 0 && { k: SHALLOW, queries: recalls.length, ...bootstrapMean(recalls) };
  return {
    mode,
    queryMilliseconds: { median: quantile(times, 0.5), p95: quantile(times, 0.95) },
    ...(hnswRecall && { hnswRecall }),
    summary: summariseCorpora(queries),
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
