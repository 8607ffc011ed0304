import type { TagFilter } from '../domain/tag-filter.js';

type Condition = TagFilter[string];

/** A filter for the files that match both filters; undefined if no file can. */
export function intersectFilters(one: TagFilter, other: TagFilter): TagFilter | undefined {
  const both = new Map(Object.entries(one));
  for (const [name, condition] of Object.entries(other)) {
    const intersection = intersectConditions(both.get(name) ?? [], condition);
    if (!intersection) return undefined;
    both.set(name, intersection);
  }
  return Object.fromEntries(both);
}

function intersectConditions(one: Condition, other: Condition): Condition | undefined {
  const [a, b] = [parse(one), parse(other)];
  const not = [...a.not, ...b.not];
  const wanted = a.values && b.values ? a.values.filter((value) => b.values?.includes(value)) : (a.values ?? b.values);
  if (!wanted) return { not };
  const left = wanted.filter((value) => !not.includes(value));
  // An empty list would match every file, not none.
  return left.length > 0 ? left : undefined;
}

/** Without `values`, every value that is not in `not` matches. */
function parse(condition: Condition): { values?: readonly string[]; not: readonly string[] } {
  if (typeof condition === 'string') return { values: [condition], not: [] };
  if ('not' in condition) return { not: [condition.not].flat() };
  return condition.length > 0 ? { values: condition, not: [] } : { not: [] };
}
