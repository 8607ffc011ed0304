import type { Hit } from '../domain/passage.js';
import { type CandidateOptions, candidatesOf } from './candidates.js';
import { explain } from './explain.js';
import { partsOf, sumOf } from './fuse.js';
import { scoreOf } from './score.js';

export interface SearchOptions extends CandidateOptions {
  /** Hits below it are left out. */
  readonly minScore: number;
  /** Says of each hit how its score came about. */
  readonly explain?: boolean | undefined;
}

/** How often a search is begun anew at most: an edit takes longer than a search, so once is mostly enough. */
const ATTEMPTS = 4;

/**
 * The passages that answer a query best, best first; equal ones by key, then position. Where a file was changed while it
 * was found, so that its passages are gone, the search begins anew: an edited file is found as it was or as it is.
 */
export async function search(query: string, options: SearchOptions): Promise<Hit[]> {
  for (let attempt = 1; ; attempt++) {
    const { hits, gone } = await searchOnce(query, options);
    if (gone === 0 || attempt === ATTEMPTS) return hits;
  }
}

async function searchOnce(query: string, options: SearchOptions): Promise<{ hits: Hit[]; gone: number }> {
  const { store, mode, limit, minScore } = options;
  const { candidates, background } = await candidatesOf(query, options);
  const ranked = candidates
    .map((candidate) => ({ candidate, sum: sumOf(partsOf(candidate, mode, background)) }))
    .filter(({ sum }) => scoreOf(sum, mode) >= minScore)
    .sort((a, b) => b.sum - a.sum);
  // Copies of one text in many files have one sum: all of them must be seen before the first can be told.
  const last = ranked[limit - 1]?.sum ?? Number.NEGATIVE_INFINITY;
  const best = ranked.filter(({ sum }) => sum >= last);
  const sums = new Map(best.map(({ candidate, sum }) => [candidate.number, sum]));
  const stored = await store.passages([...sums.keys()]);
  const found = stored
    .map((passage) => ({ ...passage, sum: sums.get(passage.number) ?? 0 }))
    .sort((a, b) => b.sum - a.sum || compare(a.file.key, b.file.key) || a.passage.position - b.passage.position)
    .slice(0, limit);
  const explanations = options.explain
    ? await explain(query, { candidates: best.map(({ candidate }) => candidate), background, store, mode })
    : undefined;
  const hits = found.map(({ number, sum, passage, file }): Hit => {
    const explanation = explanations?.get(number);
    return { score: scoreOf(sum, mode), passage, file, ...(explanation && { explanation }) };
  });
  return { hits, gone: sums.size - stored.length };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
