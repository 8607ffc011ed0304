import { reciprocalRank } from 'waymark/evaluation';
import type { Candidate, Gathered } from './gather.js';

/** Constants of the sum. */
export interface Constants {
  readonly lexical: number;
  readonly noise: number;
  /** What a match of the most common term counts; a match of the rarest counts 1. */
  readonly common: number;
  /** Multiples of the priors as shipped. */
  readonly length: number;
  readonly prose: number;
}

export const SHIPPED: Constants = { lexical: 3, noise: 0.1, common: 0.2, length: 1, prose: 1 };

/** The values to choose from, around the shipped ones. */
export const GRID: readonly Constants[] = [2.5, 3, 3.5].flatMap((lexical) =>
  [0.05, 0.1, 0.15].flatMap((noise) =>
    [0, 0.2, 1].flatMap((common) =>
      [0.5, 1, 1.5].flatMap((length) => [0.5, 1, 1.5].map((prose) => ({ lexical, noise, common, length, prose }))),
    ),
  ),
);

export function sumOf({ dense, share, rarity, length, prose }: Candidate, constants: Constants): number {
  const { common } = constants;
  const lexical = constants.lexical * (common + (1 - common) * rarity) * Math.max(0, share - constants.noise);
  return dense + lexical + constants.length * length + constants.prose * prose;
}

/** The candidates of a query with their sums, best first. */
export function ranked({ candidates }: Gathered, constants: Constants): { sum: number; isRight: boolean }[] {
  return candidates
    .map((candidate) => ({ sum: sumOf(candidate, constants), isRight: candidate.isRight }))
    .sort((a, b) => b.sum - a.sum);
}

/** RR@10 of each query with an answer, by id. */
export function reciprocalRanks(queries: readonly Gathered[], constants: Constants): Map<string, number> {
  const answerable = queries.filter(({ spans }) => spans.length > 0);
  return new Map(
    answerable.map((query) => [
      query.id,
      reciprocalRank(
        ranked(query, constants).map(({ isRight }) => isRight),
        { k: 10 },
      ),
    ]),
  );
}
