import type { Mode } from '../contract/fields/query.js';
import { addendsOf, onScale, type QueryStats, type ScoredCandidate, sumOf } from './fuse.js';
import { type Standing, scoreOf } from './score.js';

/** A candidate with its standing and score. */
export interface Ranked extends Standing {
  readonly id: number;
  readonly candidate: ScoredCandidate;
  /** The probability that it answers, 0 to 1. */
  readonly score: number;
}

/** The rank, by cosine, of the passage that the nearest one is compared with. */
const FAR_RANK = 50;

/** The contrast of most queries, assumed if fewer passages than `FAR_RANK` are embedded. */
const USUAL_CONTRAST = 0.35;

/** The lead of a clear first hit, assumed for the only candidate: nothing can be confused with it. */
const CLEAR_LEAD = 0.3;

interface Ranking {
  /** The candidates that scores are relative to: those of the same query without a filter. */
  readonly rivals: readonly ScoredCandidate[];
  readonly mode: Mode;
  readonly stats: QueryStats;
}

/** The candidates of a query, best first. */
export function rank(candidates: readonly ScoredCandidate[], { rivals, mode, stats }: Ranking): Ranked[] {
  const contrast = contrastOf(rivals, stats);
  const summed = summedOf(candidates, mode, stats);
  const rivalsSummed = rivals === candidates ? summed : summedOf(rivals, mode, stats);
  // Copies of a text have the same sum and count as one: each answers as well as the others.
  const best = rivalsSummed[0]?.sum;
  const second = rivalsSummed.find(({ sum }) => sum !== best)?.sum;
  return summed.map(({ candidate, sum }) => {
    const other = sum === best ? second : best;
    const lead = other === undefined ? CLEAR_LEAD : sum - other;
    return { id: candidate.id, candidate, sum, lead, contrast, score: scoreOf({ sum, lead, contrast }, mode) };
  });
}

/** The sums of candidates, greatest first. */
function summedOf(
  candidates: readonly ScoredCandidate[],
  mode: Mode,
  stats: QueryStats,
): { readonly candidate: ScoredCandidate; readonly sum: number }[] {
  return candidates
    .map((candidate) => ({ candidate, sum: sumOf(addendsOf(candidate, mode, stats)) }))
    .sort((a, b) => b.sum - a.sum);
}

/** How much nearer the nearest passage is than the 50th: few passages are near to a question that they answer. */
function contrastOf(candidates: readonly ScoredCandidate[], stats: QueryStats): number {
  const known = candidates.map(({ cosine }) => cosine).filter((cosine) => !Number.isNaN(cosine));
  const cosines = Float64Array.from(known).sort();
  const [nearest, far] = [cosines.at(-1), cosines.at(-FAR_RANK)];
  return nearest === undefined || far === undefined ? USUAL_CONTRAST : onScale(nearest, stats) - onScale(far, stats);
}
