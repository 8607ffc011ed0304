import { z } from 'zod';

/** Deeper values overflow the stack when they are copied, stored or printed. */
const MAX_DEPTH = 100;

/** An object of JSON values, copied. Describe it where it is used. */
export const jsonObjectSchema = z
  .record(z.string(), z.unknown())
  .refine(isJsonObject)
  .transform((object) => structuredClone(object))
  .default({})
  .describe(`an object of JSON values, at most ${MAX_DEPTH} deep, with no "__proto__"`);

function isJsonObject(value: Readonly<Record<string, unknown>>): boolean {
  const open: [value: unknown, depth: number][] = [[value, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [inner, depth] = next;
    if (inner === null || typeof inner === 'string' || typeof inner === 'boolean') continue;
    if (typeof inner === 'number' && Number.isFinite(inner)) continue;
    if (depth > MAX_DEPTH || !isListOrObject(inner)) return false;
    for (const [name, member] of Object.entries(inner)) {
      if (name === '__proto__') return false;
      open.push([member, depth + 1]);
    }
  }
  return true;
}

function isListOrObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}
