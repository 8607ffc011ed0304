import { bootstrapDifference, type Interval } from './bootstrap.js';
import type { MeasuredQuery } from './summary.js';

/** How the measures of one run differ from those of another. */
export interface Differences {
  /** Queries with an answer that both runs have. */
  readonly n: number;
  /** Mean of after - before with its 95 % interval, by name of the measure. */
  readonly measures: Readonly<Record<string, Interval>>;
}

type Run = readonly Pick<MeasuredQuery, 'id' | 'measures'>[];

/**
 * Paired differences between two runs. Queries are matched by id, and those that only one run has are ignored, as are
 * measures that only one run has.
 */
export function pairedDifferences({ before, after }: { readonly before: Run; readonly after: Run }): Differences {
  const beforeById = new Map(before.map(({ id, measures }) => [id, measures]));
  const pairs = after.flatMap(({ id, measures }) => {
    const earlier = beforeById.get(id) ?? {};
    // Without an answer, a query has no measures.
    return [earlier, measures].every((one) => Object.keys(one).length > 0)
      ? [{ before: earlier, after: measures }]
      : [];
  });
  const names = Object.keys(pairs[0]?.after ?? {});
  const differences = names.flatMap((name): [string, Interval][] => {
    const complete = pairs.filter((pair) => pair.before[name] !== undefined && pair.after[name] !== undefined);
    if (complete.length === 0) return [];
    const values = (of: 'before' | 'after') => complete.map((pair) => pair[of][name] ?? 0);
    return [[name, bootstrapDifference({ before: values('before'), after: values('after') })]];
  });
  return { n: pairs.length, measures: Object.fromEntries(differences) };
}

/** Minimum number of queries for which a difference is marked: fewer hardly show how much others would vary. */
export const FEW_QUERIES = 20;

/** Whether the interval of a difference excludes 0. */
export function isSignificant({ low, high }: Interval): boolean {
  return low > 0 || high < 0;
}
