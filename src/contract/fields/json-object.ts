import { excessOfMetadata } from '../../domain/description.js';
import { LIMITS } from '../../domain/limits.js';
import { z } from '../../domain/zod.js';
import { isPlainObject } from './plain-object.js';
import { within } from './within.js';

/** An object of JSON values, copied. Describe it where it is used. */
export const jsonObjectSchema = within(
  z.record(z.string(), z.unknown()).refine(isJsonObject, { abort: true }),
  excessOfMetadata,
)
  .transform((object) => structuredClone(object))
  .default({})
  .describe(`an object of JSON values, at most ${LIMITS.metadataDepth.value} deep, with no "__proto__"`);

function isJsonObject(value: Readonly<Record<string, unknown>>): boolean {
  const open: [value: unknown, depth: number][] = [[value, 0]];
  let seen = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const [inner, depth] = next;
    seen += 1;
    // Each value takes at least one byte of JSON, so this object is too large; the next check reports it.
    if (seen > LIMITS.metadata.value) return true;
    if (inner === null || typeof inner === 'string' || typeof inner === 'boolean') continue;
    if (typeof inner === 'number' && Number.isFinite(inner)) continue;
    if (depth > LIMITS.metadataDepth.value || !(Array.isArray(inner) || isPlainObject(inner))) return false;
    for (const [name, member] of Object.entries(inner)) {
      if (name === '__proto__') return false;
      open.push([member, depth + 1]);
    }
  }
  return true;
}
