import type { TagFilter } from '../domain/tag-filter.js';

export type QueryFields = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** A name that the dotted form brings through every parser: `tags.0` may become a list, `tags.toString` may vanish. */
const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** More values than these may become an object or be cut off where a server reads repeated keys with qs. */
const MAX_REPEATED = 20;

/**
 * Fields and a filter as a query string, without `?`: lists as repeated keys, the filter with dots
 * (`tags.kind=fruit&tags.shelf.not=a`), or as JSON where dots could be misread. What is undefined or an empty list is left out.
 */
export function queryString(fields: QueryFields, tags: TagFilter = {}): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value ?? []].flat()) pairs.append(name, String(one));
  }
  const dotted = dottedTags(tags);
  const isSafe = Object.keys(tags).every(isPlain) && dotted.length <= MAX_REPEATED;
  for (const [name, value] of isSafe ? dotted : [['tags', JSON.stringify(tags)] as const]) pairs.append(name, value);
  return pairs.toString();
}

function dottedTags(tags: TagFilter): (readonly [name: string, value: string])[] {
  return Object.entries(tags).flatMap(([tag, wanted]) => {
    const excluded = typeof wanted === 'object' && 'not' in wanted;
    const values = [excluded ? wanted.not : wanted].flat();
    return values.map((value) => [`tags.${tag}${excluded ? '.not' : ''}`, value] as const);
  });
}

function isPlain(name: string): boolean {
  return PLAIN_NAME.test(name) && !(name in Object.prototype);
}
