import { inspect, types } from 'node:util';
import { WaymarkError } from '../domain/errors.js';

/** Levels of lists and objects, more than data has: ends data that contains itself before the stack does. */
const MAX_DEPTH = 1000;

/** Longest part of an error message that shows a value or a path, in characters. */
const SHOWN = 80;

const SETTERS = Object.getOwnPropertyNames(Date.prototype).filter((name) => name.startsWith('set'));

/**
 * A copy of data that cannot be changed, down to its last list. Data is what JSON holds, and Dates, bigints and
 * undefined; a property that is undefined is left out. Throws `INVALID_ARGUMENT` for anything else, naming its path.
 */
export function frozenCopy<T>(value: T, path: string): T {
  return copy(value, { path, depth: 0 }) as T;
}

/** Whether a value is an object made by braces or JSON, of whatever realm. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function copy(value: unknown, { path, depth }: { path: string; depth: number }): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw noData(value, path);
  if (typeof value !== 'object' || value === null) return value;
  if (types.isDate(value)) return frozenDate(value);
  if (depth > MAX_DEPTH) {
    throw new WaymarkError(
      'INVALID_ARGUMENT',
      `${cut(path)} must be nested at most ${MAX_DEPTH} deep, and must not contain itself.`,
    );
  }
  if (Array.isArray(value)) {
    return Object.freeze(Array.from(value, (item, i) => copy(item, { path: `${path}[${i}]`, depth: depth + 1 })));
  }
  if (!isPlainObject(value)) throw noData(value, path);
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  // Not by assignment: that would take a field of the name __proto__ for the prototype.
  return Object.freeze(
    Object.fromEntries(
      entries.map(([name, field]) => [name, copy(field, { path: `${path}.${name}`, depth: depth + 1 })]),
    ),
  );
}

/** Freezing leaves a Date's time changeable: its setters are replaced by one that throws. */
function frozenDate(date: Date): Date {
  const setter = { value: refuse };
  return Object.freeze(
    Object.defineProperties(new Date(date.getTime()), Object.fromEntries(SETTERS.map((name) => [name, setter]))),
  );
}

function refuse(): never {
  throw new TypeError('A Date of an event cannot be changed: change a copy, new Date(event.createdOn).');
}

function noData(value: unknown, path: string): WaymarkError {
  const shown = cut(inspect(value, { depth: 0, breakLength: Number.POSITIVE_INFINITY }));
  return new WaymarkError(
    'INVALID_ARGUMENT',
    `${cut(path)} must be data: a text, number, true, false, null, Date, list or plain object; it is ${shown}.`,
  );
}

function cut(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN - 1).toWellFormed()}…` : text;
}
