import { type TagFilter, tagConditionOf } from '../domain/filters/tag-filter.js';

/** A field of a request as a query can hold it; an object is a tag filter. */
export type QueryValue = string | number | boolean | readonly string[] | TagFilter | undefined;

/**
 * A tag name that every parser reads correctly after a dot: `tags.0` may become a list, and `tags.toString` may vanish.
 */
const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** A server that reads repeated keys with qs may turn more values than these into an object, or drop some. */
const MAX_REPEATED = 20;

/**
 * Fields as a query string, without `?`. Lists become repeated keys; filters are written with dots
 * (`tags.kind=fruit&tags.shelf.not=a`), or as JSON if dots could be misread. Undefined values and empty lists are left
 * out.
 */
export function queryString(fields: Readonly<Record<string, QueryValue>>): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) => pairsOf(name, value));
  return new URLSearchParams(pairs).toString();
}

type Pair = [name: string, value: string];

function pairsOf(name: string, value: QueryValue): Pair[] {
  if (value === undefined) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  if (isList(value)) return value.map((item) => [name, item]);
  const dotted = dottedPairs(name, value);
  const isContradiction = Object.values(value).some((wanted) => tagConditionOf(wanted).exists.size === 2);
  const isSafe = Object.keys(value).every(isPlain) && dotted.length <= MAX_REPEATED && !isContradiction;
  return isSafe ? dotted : [[name, JSON.stringify(value)]];
}

function dottedPairs(name: string, filter: TagFilter): Pair[] {
  return Object.entries(filter).flatMap(([tag, wanted]) => {
    const { anyOf, noneOf, exists } = tagConditionOf(wanted);
    const path = `${name}.${tag}`;
    const any = noneOf.length === 0 && exists.size === 0 ? path : `${path}.in`;
    return [
      ...anyOf.map((value): Pair => [any, value]),
      ...noneOf.map((value): Pair => [`${path}.not`, value]),
      ...Array.from(exists, (isThere): Pair => [`${path}.exists`, `${isThere}`]),
    ];
  });
}

function isList(value: object): value is readonly string[] {
  return Array.isArray(value);
}

function isPlain(name: string): boolean {
  return PLAIN_NAME.test(name) && !(name in Object.prototype);
}
