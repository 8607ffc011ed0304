/** An entity tag, as in RFC 9110, section 8.8.3: it may contain commas. */
const ENTITY_TAG = /(W\/)?("[^"]*")/g;

/**
 * Whether the list of an `If-Match` header has the strong entity tag `etag`, or is `*`. With `isWeak`, as for
 * `If-None-Match`, a weak tag counts as the strong one.
 */
export function namesEntityTag(list: string, etag: string, { isWeak = false } = {}): boolean {
  if (list.trim() === '*') return true;
  return [...list.matchAll(ENTITY_TAG)].some(([, weak, tag]) => tag === etag && (isWeak || weak === undefined));
}
