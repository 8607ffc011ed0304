import { setImmediate } from 'node:timers/promises';
import { type SearchOptions, validateSearch } from '../contract/engine/search.js';
import type { Mode } from '../contract/fields/query.js';
import { type Abortable, assertNotAborted } from '../domain/abortable.js';
import { AnswerSize } from '../domain/answer-size.js';
import type { TagFilter } from '../domain/filters/tag-filter.js';
import type { Hit } from '../domain/passage.js';
import type { SimilarityScale } from '../domain/similarity-scale.js';
import type { Embedder } from '../embed/embedder.js';
import type { ReadablePassages } from '../storage/passage-store.js';
import type { LexicalQuery, ReadPassage, Retrieved, Window } from '../storage/retrieval.js';
import { type OnStage, timed } from '../storage/search-stage.js';
import { queryTerms } from '../text/query-terms.js';
import { explainer } from './explain.js';
import type { QueryStats, ScoredCandidate } from './fuse.js';
import { lexicalScorer, NO_MATCH } from './lexical-score.js';
import { rank } from './rank.js';

/** An edit takes longer than a search, so that a second attempt nearly always succeeds. */
const MAX_ATTEMPTS = 4;

/** The parts that a search uses. */
export interface SearchParts {
  readonly store: ReadablePassages;
  readonly embedder: Pick<Embedder, 'embedQuery'>;
  readonly scale: () => Promise<SimilarityScale>;
  readonly onStage?: OnStage | undefined;
}

/** How to search. */
export interface SearchSettings extends Abortable {
  /** Defaults to `hybrid`. */
  readonly mode?: Mode | undefined;
  readonly limit: number;
  /** Maximum number of hits of one file. Defaults to all. */
  readonly perFile?: number | undefined;
  readonly tags?: TagFilter | undefined;
  /** Files, folders and globs; see `pathFilter`. */
  readonly path?: readonly string[] | undefined;
  /** Hits with a lower score are left out. Defaults to 0. */
  readonly minScore?: number | undefined;
  /** Whether hits carry an explanation of their score. */
  readonly explain?: boolean | undefined;
  /** Neighbours on each side of a hit. Defaults to 0. */
  readonly context?: number | undefined;
}

/** A hit with its neighbours. */
export interface HitInContext extends Hit {
  readonly window: Window;
}

interface Scored {
  readonly candidates: readonly ScoredCandidate[];
  readonly stats: QueryStats;
  /** Whether the filter left out any passage. */
  readonly isFiltered: boolean;
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

/** `search` as an engine offers it. Throws `INVALID_ARGUMENT`, `RESPONSE_TOO_LARGE`, `ABORTED`. */
export async function searchHits(
  query: string,
  { options, ...parts }: SearchParts & Abortable & { readonly options: SearchOptions },
): Promise<Hit[]> {
  const hits = await search(query, { ...validateSearch(query, options), ...parts });
  return withinAnswerLimit(hits.map(({ window: _, ...hit }) => hit));
}

/** Returns the hits. Throws `RESPONSE_TOO_LARGE` if they exceed the limit of an answer. */
export function withinAnswerLimit(hits: Hit[]): Hit[] {
  const size = new AnswerSize('lower limit');
  for (const { file, passage } of hits) size.addPassage(file, passage.content);
  return hits;
}

async function attemptSearch(
  query: string,
  options: SearchParts & SearchSettings,
): Promise<{ hits: HitInContext[]; isComplete: boolean }> {
  const { store, mode = 'hybrid', limit, perFile, minScore = 0, context = 0, signal, onStage } = options;
  const { tags, path: paths } = options;
  assertNotAborted(signal);
  const prepared = prepare(query, options);
  const { candidates, stats, isFiltered } = await score(prepared, options);
  // A filter changes no score: scores are also relative to the candidates that the filter leaves out.
  const unfiltered = { ...options, tags: undefined, path: undefined };
  const rivals = isFiltered ? (await score(prepared, unfiltered)).candidates : candidates;
  // Ranking and reading each get their own turn of the event loop.
  await setImmediate();
  assertNotAborted(signal);
  const ranked = rank(candidates, { rivals, mode, stats }).filter((candidate) => candidate.score >= minScore);
  // Include all ties: copies of a text in many files have the same sum, and the store orders them.
  const last = perFile === undefined ? ranked[limit - 1]?.sum : undefined;
  const best = last === undefined ? ranked : ranked.filter(({ sum }) => sum >= last);
  const { passages, missing } = await timed(() => store.read(best, { limit, perFile, context, tags, paths }), {
    stage: 'read',
    onStage,
  });
  assertNotAborted(signal);
  const byId = new Map(best.map((candidate) => [candidate.id, candidate]));
  const scoring = { terms: prepared.lexical?.terms ?? [], candidates, stats, mode, pool: Math.max(store.pool, limit) };
  const explain = options.explain ? explainer(scoring) : undefined;
  const hits = passages.flatMap(({ id, passage, file, window }: ReadPassage): HitInContext[] => {
    const candidate = byId.get(id);
    if (!candidate) return [];
    const explanation = explain?.(candidate);
    return [{ score: candidate.score, passage, file, window, ...(explanation && { explanation }) }];
  });
  return { hits, isComplete: missing === 0 };
}

/** A query in the forms that the retrievers need. */
interface PreparedQuery {
  readonly lexical: LexicalQuery | undefined;
  readonly embedding: Promise<Float32Array> | undefined;
}

function prepare(query: string, options: SearchParts & SearchSettings): PreparedQuery {
  const { embedder, mode, signal, onStage } = options;
  const embedding =
    mode === 'lexical'
      ? undefined
      : timed(async () => embedder.embedQuery(query, { signal }), { stage: 'embed', onStage });
  // If the store fails before it awaits the embedding, a rejection would be unhandled.
  embedding?.catch(() => {});
  return { lexical: mode === 'dense' ? undefined : queryTerms(query), embedding };
}

/** Retrieves the candidates of a query and computes their features. */
async function score({ lexical, embedding }: PreparedQuery, options: SearchParts & SearchSettings): Promise<Scored> {
  const { store, scale, tags, path: paths, limit } = options;
  const { candidates, statistics, isFiltered }: Retrieved = await store.retrieve({
    embedding,
    lexical,
    tags,
    paths,
    limit: Math.max(store.pool, limit),
  });
  const scorer = lexical && lexicalScorer(lexical, statistics);
  return {
    candidates: candidates.map(({ id, cosine, occurrences, terms: length, characters, subtype }) => {
      const { bm25, rarity } = scorer?.match({ occurrences, terms: length }) ?? NO_MATCH;
      return { id, cosine, occurrences, terms: length, characters, subtype, bm25, rarity };
    }),
    stats: { ceiling: scorer?.ceiling ?? 0, scale: embedding && (await scale()) },
    isFiltered,
  };
}
