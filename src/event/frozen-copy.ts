import { types } from 'node:util';
import { isPlainObject } from '../contract/fields/plain-object.js';
import { abbreviated, shown } from '../contract/validate.js';
import { WaymarkError } from '../domain/errors.js';
import { LIMITS } from '../domain/limits.js';

const DATE_SETTERS = Object.getOwnPropertyNames(Date.prototype).filter((name) => name.startsWith('set'));

/**
 * Returns a deeply frozen copy of data: what JSON can hold, Dates, bigints and undefined. Properties that are undefined
 * are omitted. Throws `INVALID_ARGUMENT`, with the path, for anything else. `path` is the name of the value.
 */
export function frozenCopy<T>(value: T, path: string): T {
  return copy(value, { path, depth: 0 }) as T;
}

function copy(value: unknown, { path, depth }: { path: string; depth: number }): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw notData(value, path);
  if (typeof value !== 'object' || value === null) return value;
  if (types.isDate(value)) return frozenDate(value);
  // Data that contains itself would overflow the stack.
  if (depth > LIMITS.eventDepth.value) {
    throw new WaymarkError(
      'INVALID_ARGUMENT',
      `${abbreviated(path)} is nested more than ${LIMITS.eventDepth.value} levels deep: ` +
        'flatten it, and remove references to itself.',
    );
  }
  if (Array.isArray(value)) {
    return Object.freeze(Array.from(value, (item, i) => copy(item, { path: `${path}[${i}]`, depth: depth + 1 })));
  }
  if (!isPlainObject(value)) throw notData(value, path);
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  // Not by assignment, which would set the prototype for a field named __proto__.
  return Object.freeze(
    Object.fromEntries(
      entries.map(([name, field]) => [name, copy(field, { path: `${path}.${name}`, depth: depth + 1 })]),
    ),
  );
}

/** Freezing does not protect the time of a Date, so its setters are replaced by one that throws. */
function frozenDate(date: Date): Date {
  const setter = { value: refuse };
  return Object.freeze(
    Object.defineProperties(new Date(date.getTime()), Object.fromEntries(DATE_SETTERS.map((name) => [name, setter]))),
  );
}

function refuse(): never {
  throw new TypeError('A Date of an event is read-only: change a copy, such as new Date(event.createdOn).');
}

function notData(value: unknown, path: string): WaymarkError {
  const rule = 'data (a string, number, bigint, boolean, null, Date, array or plain object)';
  return new WaymarkError('INVALID_ARGUMENT', `${abbreviated(path)} must be ${rule}; it is ${shown(value)}.`);
}
