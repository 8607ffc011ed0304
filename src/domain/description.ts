import { type Excess, excessOf, limitError } from './excess.js';
import { jsonBytes } from './json-bytes.js';
import { LIMITS } from './limits.js';
import type { Metadata, Tags } from './passage.js';

/** Tags and metadata of a file. */
export interface Description {
  readonly tags: Tags;
  readonly metadata: Metadata;
}

/** The first limit that the tags of a file exceed. */
export function excessOfTags(tags: Readonly<Record<string, string | null>>): Excess | undefined {
  return (
    excessOf(LIMITS.tags, Object.keys(tags).length) ?? excessOf(LIMITS.tagsSize, jsonBytes(tags, LIMITS.tagsSize.value))
  );
}

/** The limit that the metadata of a file exceeds. */
export function excessOfMetadata(metadata: Readonly<Record<string, unknown>>): Excess | undefined {
  return excessOf(LIMITS.metadata, jsonBytes(metadata, LIMITS.metadata.value));
}

/** The key of a file without the extension of its name: `docs/keys.md` is `docs/keys`. */
export function withoutExtension(key: string): string {
  return key.replace(/\.[a-z][a-z0-9]{0,7}$/i, '');
}

/** Tags with changes applied; null removes one. Throws `INVALID_ARGUMENT` beyond a limit, unless nothing changes. */
export function changedTags(tags: Tags, changes: Readonly<Record<string, string | null>>): Tags {
  return changed(tags, changes, excessOfTags);
}

/** Metadata with changes applied; null removes a member. Throws like `changedTags`. */
export function changedMetadata(metadata: Metadata, changes: Metadata): Metadata {
  return changed(metadata, changes, excessOfMetadata);
}

function changed<Value>(
  object: Readonly<Record<string, Value>>,
  changes: Readonly<Record<string, Value | null>>,
  excessIn: (object: Readonly<Record<string, Value>>) => Excess | undefined,
): Readonly<Record<string, Value>> {
  const isKept = (entry: [string, Value | null]): entry is [string, Value] =>
    entry[1] !== null || !Object.hasOwn(changes, entry[0]);
  const result = Object.fromEntries(Object.entries({ ...object, ...changes }).filter(isKept));
  // What stays as it is may exceed a limit: an earlier version may have stored it.
  const excess = Object.keys(changes).length === 0 ? undefined : excessIn(result);
  if (excess) throw limitError(excess, 'delete some with null');
  return result;
}
