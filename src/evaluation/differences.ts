import { bootstrapDifference, type Interval } from './bootstrap.js';
import type { Measured } from './summary.js';

/** What one run has over another. */
export interface Differences {
  /** Queries with an answer that both were asked. */
  readonly n: number;
  /** Mean of after - before and its 95 % interval, by the measure's name. */
  readonly measures: Readonly<Record<string, Interval>>;
}

type Run = readonly Pick<Measured, 'id' | 'measures'>[];

/** Paired differences of two runs over the queries that both have; none of a measure that one of them lacks. */
export function pairedDifferences({ before, after }: { readonly before: Run; readonly after: Run }): Differences {
  const earlier = new Map(before.map(({ id, measures }) => [id, measures]));
  const pairs = after.flatMap(({ id, measures }) => {
    const other = earlier.get(id);
    return other && Object.keys(measures).length > 0 ? [{ before: other, after: measures }] : [];
  });
  const names = Object.keys(pairs[0]?.after ?? {});
  const differences = names.flatMap((name): [string, Interval][] => {
    const both = pairs.filter((pair) => pair.before[name] !== undefined && pair.after[name] !== undefined);
    if (both.length === 0) return [];
    const values = (of: 'before' | 'after') => both.map((pair) => pair[of][name] ?? 0);
    return [[name, bootstrapDifference({ before: values('before'), after: values('after') })]];
  });
  return { n: pairs.length, measures: Object.fromEntries(differences) };
}

/** Whether the interval of a difference leaves out 0. */
export function isSure({ low, high }: Interval): boolean {
  return low > 0 || high < 0;
}
