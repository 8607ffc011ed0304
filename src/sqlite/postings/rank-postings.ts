/** Passages, ascending, with a score each. */
export interface ScoredList {
  readonly passages: Uint32Array;
  readonly scores: Float64Array;
}

const EMPTY: ScoredList = { passages: new Uint32Array(), scores: new Float64Array() };

/** Adds up the scores of each passage that is in all of the first `required` lists. */
export function addScores(lists: readonly ScoredList[], { required }: { readonly required: number }): ScoredList {
  const [first = EMPTY, ...others] = lists;
  return others.reduce((sum, list, i) => {
    if (required === 0) return merge(sum, list, 'either');
    return merge(sum, list, i + 1 < required ? 'both' : 'first');
  }, first);
}

/** The passages with the highest scores, among those of `only` (ascending) if it is given. */
export function bestOf(
  list: ScoredList,
  { limit, only }: { readonly limit: number; readonly only?: Uint32Array | undefined },
): number[] {
  const { passages, scores } = only ? intersect(list, only) : list;
  if (scores.length <= limit) return [...passages];
  // Sorting numbers takes a tenth of the time of sorting objects.
  const least = scores.toSorted()[scores.length - limit] as number;
  const above: number[] = [];
  const tied: number[] = [];
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i] as number;
    if (score > least) above.push(passages[i] as number);
    else if (score === least) tied.push(passages[i] as number);
  }
  return [...above, ...tied.slice(0, limit - above.length)];
}

/** The sum of two lists, for the passages in either list, in both, or in the first. */
function merge(a: ScoredList, b: ScoredList, kept: 'either' | 'both' | 'first'): ScoredList {
  const most = a.passages.length + (kept === 'either' ? b.passages.length : 0);
  const [passages, scores] = [new Uint32Array(most), new Float64Array(most)];
  let [i, j, count] = [0, 0, 0];
  const push = (passage: number, score: number) => {
    passages[count] = passage;
    scores[count++] = score;
  };
  while (i < a.passages.length || j < b.passages.length) {
    const [ofA, ofB] = [a.passages[i] ?? Number.POSITIVE_INFINITY, b.passages[j] ?? Number.POSITIVE_INFINITY];
    if (ofA === ofB) push(ofA, (a.scores[i++] as number) + (b.scores[j++] as number));
    else if (ofA > ofB) {
      if (kept === 'either') push(ofB, b.scores[j] as number);
      j++;
    } else {
      if (kept !== 'both') push(ofA, a.scores[i] as number);
      i++;
    }
  }
  return { passages: passages.subarray(0, count), scores: scores.subarray(0, count) };
}

/** The passages of a list that are among some, ascending. */
export function intersect({ passages, scores }: ScoredList, only: Uint32Array): ScoredList {
  const kept = passages.map((passage) => Number(only[lowerBound(only, passage)] === passage));
  return {
    passages: passages.filter((_, i) => kept[i]),
    scores: scores.filter((_, i) => kept[i]),
  };
}

/** The index of the first of some ascending numbers that is not below `wanted`. */
export function lowerBound(numbers: Uint32Array, wanted: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
