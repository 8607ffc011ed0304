import { parse } from 'qs';
import { jsonSchemaOf } from '../../contract/json-schema.js';
import type { HttpOperation } from '../../contract/operation.js';
import { HttpError } from '../errors/http-error.js';

/** More parameters are refused: without a limit, qs turns the 21st repeat of a name into an object. */
const MAX_PARAMETERS = 1000;

/**
 * Reads the query of a URL into the types of an operation's fields: numbers, booleans, lists, objects. Objects are
 * written with dots (`tags.k=v`), brackets (`tags[k][0]=v`) or as JSON (`tags={"k":"v"}`). A value of another type
 * stays a string, for validation to name it. Unknown parameters are left out.
 */
export function queryReader({ request }: HttpOperation): (url: string) => Record<string, unknown> {
  const { properties = {} } = jsonSchemaOf(request) as { properties?: Record<string, { type?: string }> };
  return (url) => {
    const given = parsed(url);
    const entries = Object.entries(properties).flatMap(([name, property]) => {
      const value = given[name];
      return value === undefined ? [] : [[name, coerced(value, property)]];
    });
    return Object.fromEntries(entries);
  };
}

function parsed(url: string): Record<string, unknown> {
  const start = url.indexOf('?');
  if (start < 0) return {};
  const text = url.slice(start + 1);
  // qs drops such a parameter, and a filter would lose a condition.
  if ([...new URLSearchParams(text).keys()].some((name) => PROTOTYPE.test(name))) throw noPrototype();
  try {
    return parse(text, {
      allowDots: true,
      // Without this, a tag named "constructor" would be dropped, and the filter with it.
      plainObjects: true,
      arrayLimit: MAX_PARAMETERS,
      parameterLimit: MAX_PARAMETERS,
      throwOnLimitExceeded: true,
    });
  } catch (cause) {
    throw new HttpError('InvalidQuery', `The query has more than ${MAX_PARAMETERS} parameters: send fewer.`, { cause });
  }
}

const PROTOTYPE = /(^|[.[\]])__proto__($|[.[\]])/;

function noPrototype(): HttpError {
  return new HttpError('InvalidQuery', 'No parameter can be named "__proto__": choose another name.');
}

function coerced(value: unknown, { type }: { type?: string }): unknown {
  if (type === 'array') return typeof value === 'string' ? (fromJson(value) ?? [value]) : value;
  if (type === 'object') return typeof value === 'string' ? (fromJson(value) ?? value) : flattened(value);
  if (typeof value !== 'string') return value;
  if (type === 'boolean') return value === 'true' || value === 'false' ? value === 'true' : value;
  if (type === 'integer' || type === 'number') return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return value;
}

function fromJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Joins tag names with dots again: `tags.a.b=v` is the tag `a.b`, `tags.a.not=v` an exclusion. */
function flattened(value: unknown): unknown {
  if (!isObject(value)) return value;
  const flat: Record<string, unknown> = Object.create(null);
  for (const [name, inner] of Object.entries(value)) {
    const deeper = flattened(inner);
    if (!isObject(deeper) || Object.keys(deeper).join() === 'not') flat[name] = deeper;
    else for (const [rest, innermost] of Object.entries(deeper)) flat[`${name}.${rest}`] = innermost;
  }
  return flat;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
