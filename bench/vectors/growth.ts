import { exponentOf } from '../support/statistics/exponent.js';
import type { ContenderResult } from './measure-size.js';

/** How the figures of a contender grow with the number of vectors; undefined for a single size. */
export interface Growth {
  readonly contender: string;
  readonly build: number | undefined;
  readonly search: number | undefined;
}

export function growthOf(results: readonly ContenderResult[]): Growth[] {
  const contenders = [...new Set(results.map(({ contender }) => contender))];
  return contenders.map((contender) => {
    const own = results.filter((result) => result.contender === contender);
    return {
      contender,
      build: exponentOf(own.map(({ size, buildSeconds }) => ({ x: size, y: buildSeconds }))),
      search: exponentOf(own.map(({ size, searches }) => ({ x: size, y: searches[0]?.p50 ?? 0 }))),
    };
  });
}
