/**
 * Whether a value is an object literal or comes from JSON, in any realm: the prototype of a plain object of another
 * realm is not this one's, but has none itself.
 */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
