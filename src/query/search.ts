import type { Hit } from '../passage.js';
import { type CandidateOptions, candidatesOf } from './candidates.js';
import { explain } from './explain.js';
import { partsOf, sumOf } from './fuse.js';
import { scoreOf } from './score.js';

export interface SearchOptions extends CandidateOptions {
  readonly limit: number;
  /** Hits below it are left out. */
  readonly minScore: number;
  /** Says of each hit how its score came about. */
  readonly explain?: boolean | undefined;
}

/** The passages that answer a query best, best first; equal ones by key, then position. */
export async function search(query: string, { limit, minScore, ...options }: SearchOptions): Promise<Hit[]> {
  const { store, mode } = options;
  const { candidates, background } = await candidatesOf(query, options);
  const ranked = candidates
    .map((candidate) => ({ candidate, sum: sumOf(partsOf(candidate, mode, background)) }))
    .filter(({ sum }) => scoreOf(sum, mode) >= minScore)
    .sort((a, b) => b.sum - a.sum);
  // Copies of one text in many files have one sum: all of them must be seen before the first can be told.
  const last = ranked[limit - 1]?.sum ?? Number.NEGATIVE_INFINITY;
  const best = ranked.filter(({ sum }) => sum >= last);
  const sums = new Map(best.map(({ candidate, sum }) => [candidate.number, sum]));
  const found = (await store.passages([...sums.keys()]))
    .map((passage) => ({ ...passage, sum: sums.get(passage.number) ?? 0 }))
    .sort((a, b) => b.sum - a.sum || compare(a.file.key, b.file.key) || a.passage.position - b.passage.position)
    .slice(0, limit);
  const explanations = options.explain
    ? await explain(query, { candidates: best.map(({ candidate }) => candidate), background, store, mode })
    : undefined;
  return found.map(({ number, sum, passage, file }): Hit => {
    const explanation = explanations?.get(number);
    return { score: scoreOf(sum, mode), passage, file, ...(explanation && { explanation }) };
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
