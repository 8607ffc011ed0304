import { type Excess, excessOf } from './excess.js';
import { jsonBytes } from './json-bytes.js';
import { LIMITS } from './limits.js';

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

/** The key of a file without the ending of its name: `docs/keys.md` is `docs/keys`. */
export function withoutEnding(key: string): string {
  return key.replace(/\.[a-z][a-z0-9]{0,7}$/i, '');
}

/** A description with changes applied; null removes a member. */
export function withChanges<Value>(
  object: Readonly<Record<string, Value>>,
  changes: Readonly<Record<string, Value | null>>,
): Record<string, Value> {
  const entries = Object.entries({ ...object, ...changes });
  return Object.fromEntries(entries.filter((entry): entry is [string, Value] => entry[1] !== null));
}
