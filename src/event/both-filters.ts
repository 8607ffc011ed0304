import type { TagFilter } from '../domain/tag-filter.js';

type Condition = TagFilter[string];

/** The filter that passes the files that both pass; undefined where no file can. */
export function bothFilters(one: TagFilter, other: TagFilter): TagFilter | undefined {
  const both = new Map(Object.entries(one));
  for (const [name, condition] of Object.entries(other)) {
    const together = bothConditions(both.get(name) ?? [], condition);
    if (!together) return undefined;
    both.set(name, together);
  }
  return Object.fromEntries(both);
}

function bothConditions(one: Condition, other: Condition): Condition | undefined {
  const [a, b] = [partsOf(one), partsOf(other)];
  const not = [...a.not, ...b.not];
  const wanted = a.values && b.values ? a.values.filter((value) => b.values?.includes(value)) : (a.values ?? b.values);
  if (!wanted) return { not };
  const left = wanted.filter((value) => !not.includes(value));
  // An empty list is no condition, which is the opposite of what it would be here.
  return left.length > 0 ? left : undefined;
}

function partsOf(condition: Condition): { values?: readonly string[]; not: readonly string[] } {
  if (typeof condition === 'string') return { values: [condition], not: [] };
  if ('not' in condition) return { not: [condition.not].flat() };
  return condition.length > 0 ? { values: condition, not: [] } : { not: [] };
}
