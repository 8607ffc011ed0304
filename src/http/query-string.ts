import { parse } from 'qs';
import { z } from 'zod';
import { HttpError } from './http-error.js';

/** More repeats of a name than this are refused; without a limit of ours qs makes an object of the 21st. */
const MOST_VALUES = 1000;

/**
 * Reads the parameters behind the `?` of an address as the values that a schema wants: numbers, booleans, lists, objects.
 * Objects come with dots (`tags.k=v`), brackets (`tags[k][0]=v`) or as JSON (`tags={"k":"v"}`). What is not of the
 * wanted kind stays a text, for validation to name it; what the schema does not know is left out.
 */
export function queryReader(schema: z.ZodObject): (url: string) => Record<string, unknown> {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' });
  return (url) => {
    const given = parsed(url);
    const entries = Object.entries(properties).flatMap(([name, property]) => {
      const value = given[name];
      return value === undefined ? [] : [[name, coerced(value, property as { type?: string })]];
    });
    return Object.fromEntries(entries);
  };
}

function parsed(url: string): Record<string, unknown> {
  const start = url.indexOf('?');
  if (start < 0) return {};
  const text = url.slice(start + 1);
  // qs leaves such a parameter out, and a filter by it would be none.
  if (namesOf(text).some((name) => PROTOTYPE.test(name))) throw new HttpError('InvalidQuery', NO_PROTOTYPE);
  try {
    return parse(text, {
      allowDots: true,
      // A tag may be called "constructor": without this it would be dropped, and with it the filter.
      plainObjects: true,
      arrayLimit: MOST_VALUES,
      parameterLimit: MOST_VALUES,
      throwOnLimitExceeded: true,
    });
  } catch (cause) {
    throw new HttpError('InvalidQuery', `The address has more than ${MOST_VALUES} parameters.`, { cause });
  }
}

const PROTOTYPE = /(^|[.[\]])__proto__($|[.[\]])/;
const NO_PROTOTYPE = 'Nothing can be called "__proto__": leave it out, or choose another name.';

function namesOf(text: string): string[] {
  return [...new URLSearchParams(text).keys()];
}

function coerced(value: unknown, { type }: { type?: string }): unknown {
  if (type === 'array') return typeof value === 'string' ? (ofJson(value) ?? [value]) : value;
  if (type === 'object') return typeof value === 'string' ? (ofJson(value) ?? value) : flattened(value);
  if (typeof value !== 'string') return value;
  if (type === 'boolean') return value === 'true' || value === 'false' ? value === 'true' : value;
  if (type === 'integer' || type === 'number') return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return value;
}

function ofJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  // Here, too, what checks the filter would leave it out.
  if (isObject(value) && Object.hasOwn(value, '__proto__')) throw new HttpError('InvalidQuery', NO_PROTOTYPE);
  return value;
}

/** Puts tag names with dots together again: `tags.a.b=v` is the tag `a.b`, `tags.a.not=v` an exclusion. */
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
