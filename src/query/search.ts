import type { Hit } from '../passage.js';
import { type CandidateOptions, candidatesOf } from './candidates.js';
import { fuse } from './fuse.js';

export interface SearchOptions extends CandidateOptions {
  readonly limit: number;
  /** Hits below it are left out. */
  readonly minScore?: number | undefined;
}

/** The passages that answer a query best, best first; equal scores by key, then position. */
export async function search(query: string, { limit, minScore = -1, ...options }: SearchOptions): Promise<Hit[]> {
  const candidates = await candidatesOf(query, options);
  const scored = candidates
    .map((candidate) => ({ number: candidate.number, score: fuse(candidate, options.mode) }))
    .filter(({ score }) => score >= minScore)
    .sort((a, b) => b.score - a.score);
  // Copies of one text in many files have one score: all of them must be seen before the first can be told.
  const last = scored[limit - 1]?.score ?? Number.NEGATIVE_INFINITY;
  const scores = new Map(scored.filter(({ score }) => score >= last).map(({ number, score }) => [number, score]));
  const found = await options.store.passages([...scores.keys()]);
  return found
    .map(({ number, passage, file }): Hit => ({ score: scores.get(number) ?? 0, passage, file }))
    .sort(byRelevance)
    .slice(0, limit);
}

/** Best first; equal scores by file key, then position, so that the same question always gets the same answer. */
export function byRelevance(a: Hit, b: Hit): number {
  return b.score - a.score || compare(a.file.key, b.file.key) || a.passage.position - b.passage.position;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
