import type { Neighbour } from '../passage.js';
import type { TermList } from './term-lists.js';

/** The sum of the lists' scores by passage, of those that stand in each of the first `required` lists. */
export function summed(lists: readonly TermList[], { required }: { required: number }): Map<number, number> {
  const sums = new Map<number, number>();
  for (const [i, { passages, scores }] of lists.entries()) {
    // The first list that is required says which passages there are, the next ones which of them stay.
    const here = i > 0 && i < required ? new Set(passages) : undefined;
    if (here) for (const passage of sums.keys()) if (!here.has(passage)) sums.delete(passage);
    for (let place = 0; place < passages.length; place++) {
      const passage = passages[place] as number;
      const sum = sums.get(passage);
      if (sum !== undefined) sums.set(passage, sum + (scores[place] as number));
      else if (i === 0 || required === 0) sums.set(passage, scores[place] as number);
    }
  }
  return sums;
}

/** The passages with the highest scores, best first, equal ones by number; of `only`, ascending, where that is given. */
export function best(
  scores: ReadonlyMap<number, number>,
  { limit, only }: { limit: number; only?: Uint32Array | undefined },
): Neighbour[] {
  // Sorting numbers takes a tenth of the time of sorting objects: only those that stay are worth that.
  const negated = new Float64Array(scores.size);
  let count = 0;
  for (const [id, score] of scores) if (!only || includes(only, id)) negated[count++] = -score;
  const least = count > limit ? -(negated.subarray(0, count).sort()[limit - 1] as number) : Number.NEGATIVE_INFINITY;
  const kept: Neighbour[] = [];
  for (const [id, score] of scores) if (score >= least && (!only || includes(only, id))) kept.push({ id, score });
  return kept.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, limit);
}

/** Whether ascending numbers have one. */
function includes(numbers: Uint32Array, wanted: number): boolean {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === wanted;
}
