import { createHash } from 'node:crypto';
import type { FileState } from '../storage/copies.js';

/**
 * What tells whether two storages have a file in the same state. Without the number of its passages: a file that an
 * earlier release has cut has others once it was copied.
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
