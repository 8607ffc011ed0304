import { z } from 'zod';
import type { Metadata } from '../domain/passage.js';

/** Deeper values overflow the stack of what copies, stores or prints them. */
const DEEPEST = 100;

/** An object as JSON has it, copied. */
export const jsonObjectSchema = z
  .custom<Metadata>(isJsonObject)
  .transform((object) => structuredClone(object))
  .default({})
  .describe(`an object of JSON values, at most ${DEEPEST} deep, with no "__proto__"`);

function isJsonObject(value: unknown): boolean {
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  const open: [value: unknown, depth: number][] = [[value, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [inner, depth] = next;
    if (inner === null || typeof inner === 'string' || typeof inner === 'boolean') continue;
    if (typeof inner === 'number' && Number.isFinite(inner)) continue;
    if (depth > DEEPEST || !isListOrObject(inner)) return false;
    for (const [name, member] of Object.entries(inner)) {
      if (name === '__proto__') return false;
      open.push([member, depth + 1]);
    }
  }
  return value !== null;
}

function isListOrObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}
