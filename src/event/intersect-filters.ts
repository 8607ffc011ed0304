import { type TagFilter, type TagOperators, tagConditionOf } from '../domain/filters/tag-filter.js';

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

function intersectConditions(one: TagFilter[string], other: TagFilter[string]): TagOperators | undefined {
  const [a, b] = [tagConditionOf(one), tagConditionOf(other)];
  const not = [...new Set([...a.noneOf, ...b.noneOf])];
  const exists = new Set([...a.exists, ...b.exists]);
  if (exists.size === 2) return undefined;
  const [isThere] = exists;
  const rest = { not, ...(isThere !== undefined && { exists: isThere }) };
  const isAny = a.anyOf.length === 0 || b.anyOf.length === 0;
  const wanted = isAny ? [...a.anyOf, ...b.anyOf] : a.anyOf.filter((value) => b.anyOf.includes(value));
  if (isAny && wanted.length === 0) return rest;
  const left = wanted.filter((value) => !not.includes(value));
  // An empty list would match every file, not none.
  return left.length > 0 && isThere !== false ? { in: left, ...rest } : undefined;
}
