import { createHash } from 'node:crypto';
import type { FileState } from '../storage/copies.js';

/**
 * A digest of a file's state, to compare it between two storages. The number of passages is left out: a file that an
 * earlier release has cut gets other passages when it is copied.
 */
export function digestOf({ tags, accessPolicies, passages: _, ...state }: FileState): string {
  const rest = Object.entries(state).filter(([, value]) => value !== undefined);
  const sorted = [...rest, ['tags', Object.entries(tags).sort(byName)], ['policies', [...accessPolicies].sort()]];
  return createHash('sha256')
    .update(JSON.stringify(sorted.sort(byName as (a: unknown, b: unknown) => number)))
    .digest('base64');
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
