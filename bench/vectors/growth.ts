import { exponentOf } from '../growth/exponent.js';
import type { SideResult } from './measure.js';

/** How a side's figures grow with the number of vectors: 1 is in proportion. Undefined for a single size. */
export interface Growth {
  readonly side: string;
  readonly build: number | undefined;
  readonly search: number | undefined;
}

export function growthOf(results: readonly SideResult[]): Growth[] {
  const sides = [...new Set(results.map(({ side }) => side))];
  return sides.map((side) => {
    const own = results.filter((result) => result.side === side);
    return {
      side,
      build: exponentOf(own.map(({ size, buildSeconds }) => ({ x: size, y: buildSeconds }))),
      search: exponentOf(own.map(({ size, searches }) => ({ x: size, y: searches[0]?.p50 ?? 0 }))),
    };
  });
}
