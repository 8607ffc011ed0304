import type { Mode } from '../contract/fields/query.js';
import { WaymarkError } from '../domain/errors.js';
import type { Hit } from '../domain/passage.js';
import type { TagFilter } from '../domain/tag-filter.js';
import type { Embedder, SimilarityScale } from '../embed/embedder.js';
import type { ReadablePassages } from '../storage/passage-store.js';
import type { ReadPassage, Retrieved, Window } from '../storage/retrieval.js';
import type { OnStage, Stage } from '../storage/stage.js';
import { queryTerms } from '../text/query-terms.js';
import { explain } from './explain.js';
import { addendsOf, type QueryStats, type ScoredCandidate, sumOf } from './fuse.js';
import { lexicalScorer } from './lexical-score.js';
import { scoreOf } from './score.js';

/**
 * Minimum number of candidates of each retriever. The same for all smaller limits, so that a search with a smaller
 * limit returns the first hits of a search with a larger one.
 */
const POOL = 500;

/** An edit takes longer than a search: one more attempt is nearly always enough. */
const MAX_ATTEMPTS = 4;

/** What searches run on. */
export interface SearchParts {
  readonly store: ReadablePassages;
  readonly embedder: Pick<Embedder, 'embedQuery'>;
  readonly scale: () => Promise<SimilarityScale>;
  readonly onStage?: OnStage | undefined;
}

/** How to search. */
export interface SearchSettings {
  readonly mode: Mode;
  readonly limit: number;
  readonly tags?: TagFilter | undefined;
  /** Files, folders and globs; see `pathFilter`. */
  readonly path?: readonly string[] | undefined;
  /** Hits with a lower score are left out. */
  readonly minScore: number;
  /** Whether hits carry an explanation of their score. */
  readonly explain?: boolean | undefined;
  /** Neighbours on each side of a hit. Defaults to 0. */
  readonly context?: number | undefined;
  /** Stops the search. */
  readonly signal?: AbortSignal | undefined;
}

/** A hit with its neighbours. */
export interface HitInContext extends Hit {
  readonly window: Window;
}

interface Scored {
  readonly candidates: readonly ScoredCandidate[];
  readonly stats: QueryStats;
}

/**
 * The passages that answer a query best, best first; ties are ordered by key, then position. If a file changes between
 * the two calls to the store, the search starts again: an edited file is found as it was or as it is now. Throws
 * `ABORTED`.
 */
export async function search(query: string, options: SearchParts & SearchSettings): Promise<HitInContext[]> {
  for (let attempt = 1; ; attempt++) {
    const { hits, isComplete } = await attemptSearch(query, options);
    if (isComplete || attempt === MAX_ATTEMPTS) return hits;
  }
}

async function attemptSearch(
  query: string,
  options: SearchParts & SearchSettings,
): Promise<{ hits: HitInContext[]; isComplete: boolean }> {
  const { store, mode, limit, minScore, context = 0, signal, onStage } = options;
  const { candidates, stats } = await score(query, options);
  throwIfAborted(signal);
  const ranked = candidates
    .map((candidate) => ({ id: candidate.id, sum: sumOf(addendsOf(candidate, mode, stats)) }))
    .filter(({ sum }) => scoreOf(sum, mode) >= minScore)
    .sort((a, b) => b.sum - a.sum);
  // Include all ties: copies of a text in many files have the same sum, and the store orders them.
  const last = ranked[limit - 1]?.sum ?? Number.NEGATIVE_INFINITY;
  const best = ranked.filter(({ sum }) => sum >= last);
  const { passages, missing } = await timed('read', () => store.read(best, { limit, context }), onStage);
  throwIfAborted(signal);
  const explanations = options.explain
    ? explain(query, { candidates, stats, mode, pool: Math.max(POOL, limit) })
    : undefined;
  const hits = passages.map(({ id, sum, passage, file, window }: ReadPassage): HitInContext => {
    const explanation = explanations?.get(id);
    return { score: scoreOf(sum, mode), passage, file, window, ...(explanation && { explanation }) };
  });
  return { hits, isComplete: missing === 0 };
}

/** Retrieves the candidates of a query and computes their features. */
async function score(query: string, options: SearchParts & SearchSettings): Promise<Scored> {
  const { store, embedder, scale, mode, tags, path: paths, limit, onStage } = options;
  const terms = mode === 'dense' ? undefined : queryTerms(query);
  const embedding = mode === 'lexical' ? undefined : timed('embed', () => embedder.embedQuery(query), onStage);
  // If the store fails before it awaits the embedding, a rejection would be unhandled.
  embedding?.catch(() => {});
  const { candidates, statistics }: Retrieved = await store.retrieve({
    embedding,
    lexical: terms,
    tags,
    paths,
    limit: Math.max(POOL, limit),
    countAllTerms: options.explain,
  });
  const scorer = terms && lexicalScorer(terms, statistics);
  return {
    candidates: candidates.map(({ id, cosine, occurrences, terms: length, characters, subtype }) => {
      const bm25 = scorer?.score({ occurrences, terms: length }) ?? 0;
      return { id, cosine, occurrences, terms: length, characters, subtype, bm25 };
    }),
    stats: {
      ceiling: scorer?.ceiling ?? 0,
      scale: embedding && (await scale()),
      meanCosine: statistics.meanCosine,
      embedded: statistics.embedded,
    },
  };
}

async function timed<T>(stage: Stage, work: () => Promise<T>, onStage: OnStage | undefined): Promise<T> {
  if (!onStage) return work();
  const started = performance.now();
  try {
    return await work();
  } finally {
    onStage(stage, performance.now() - started);
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new WaymarkError('ABORTED', 'The search was stopped.', { cause: signal.reason });
}
