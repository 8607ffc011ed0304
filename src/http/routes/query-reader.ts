import { parse } from 'qs';
import { jsonSchemaOf } from '../../contract/json-schema.js';
import type { HttpOperation } from '../../contract/operation.js';
import { shown } from '../../contract/validate.js';
import { describeExcess, type Excess, excessOf } from '../../domain/excess.js';
import { LIMITS, type Limit } from '../../domain/limits.js';
import { HttpError } from '../errors/http-error.js';

const { parameters: PARAMETERS, parameterItems: ITEMS, parameterDepth: DEPTH } = LIMITS;

/** Reads the fields of a request from its URL; `parameters` are those of the URL, decoded. */
type ReadQuery = (url: string, parameters: URLSearchParams) => Record<string, unknown>;

/**
 * Reads the query of a URL into the types of an operation's fields: numbers, booleans, lists, objects. Objects are
 * written with dots (`tags.k=v`), brackets (`tags[k][0]=v`) or as JSON (`tags={"k":"v"}`). A value of another type
 * stays a string, for validation to name it. Unknown parameters are left out.
 */
export function queryReader({ request }: HttpOperation): ReadQuery {
  const { properties = {} } = jsonSchemaOf(request) as { properties?: Record<string, { type?: string }> };
  return (url, parameters) => {
    const given = parsed(url, { parameters, fields: Object.keys(properties) });
    const entries = Object.entries(properties).flatMap(([name, property]) => {
      const value = given[name];
      return value === undefined ? [] : [[name, coerced(value, property)]];
    });
    return Object.fromEntries(entries);
  };
}

function parsed(
  url: string,
  { parameters, fields }: { readonly parameters: URLSearchParams; readonly fields: readonly string[] },
): Record<string, unknown> {
  const start = url.indexOf('?');
  if (start < 0) return {};
  const text = url.slice(start + 1);
  const undecodable = text.split('&').find((parameter) => !isEncoded(parameter));
  if (undecodable !== undefined) throw notEncoded(undecodable);
  const names = [...parameters.keys()];
  const excess = excessOf(PARAMETERS, names.length);
  if (excess) throw beyond(excess, FEWER);
  // qs drops some of what these checks refuse, and a filter would lose a condition.
  if (names.some((name) => PROTOTYPE.test(name))) throw noPrototype();
  const unreadable = names.find((name) => fields.includes(fieldOf(name)) && !NAME.test(name));
  if (unreadable !== undefined) throw notAName(unreadable);
  try {
    return parse(text, {
      allowDots: true,
      // Without this, a tag named "constructor" would be dropped, and the filter with it.
      plainObjects: true,
      // Without a limit, qs turns the 21st repeat of a name into an object.
      arrayLimit: ITEMS.value,
      parameterLimit: PARAMETERS.value,
      throwOnLimitExceeded: true,
      depth: DEPTH.value,
      strictDepth: true,
    });
  } catch (error) {
    const [, limit, advice] = REFUSALS.find(([message]) => message.test((error as Error).message)) ?? [];
    throw limit && advice ? beyond({ limit }, advice) : error;
  }
}

const FEWER = 'send fewer';

/** The messages of qs when it refuses a query, the limit that each is about, and what to do. */
const REFUSALS: readonly (readonly [message: RegExp, limit: Limit, advice: string])[] = [
  // It counts parameters without a name as well.
  [/^Parameter limit/, PARAMETERS, FEWER],
  [/^Array limit/, ITEMS, 'number them from 0, or repeat the name'],
  [/^Input depth/, DEPTH, 'use fewer dots and brackets'],
];

/** Whether a parameter can be decoded: qs would use one that cannot without decoding it. */
function isEncoded(parameter: string): boolean {
  try {
    decodeURIComponent(parameter);
    return true;
  } catch {
    return false;
  }
}

function notEncoded(parameter: string): HttpError {
  const advice = 'percent-encode it as UTF-8, with %25 for a percent sign.';
  return new HttpError('InvalidQuery', `The parameter ${shown(parameter)} cannot be decoded: ${advice}`);
}

/** A field, or parts of it: `tags.k`, `tags[k]`, `tags[k][0]`, `tags[k][]`. */
const NAME = /^[^.[\]]+(\.[^.[\]]+|\[[^[\]]*\])*$/;

/** The field that a name is meant for, also where it cannot be read: `tags..k`. */
function fieldOf(name: string): string {
  return /[^.[\]]+/.exec(name)?.[0] ?? '';
}

function notAName(name: string): HttpError {
  const advice = 'write a tag as tags.name=value, tags[name]=value or tags={"name":"value"}.';
  return new HttpError('InvalidQuery', `The parameter ${shown(name)} cannot be read: ${advice}`);
}

function beyond(excess: Excess, advice: string): HttpError {
  return new HttpError('InvalidQuery', `${describeExcess(excess)}: ${advice}.`);
}

const PROTOTYPE = /(^|[.[\]])__proto__($|[.[\]])/;

function noPrototype(): HttpError {
  return new HttpError('InvalidQuery', 'No parameter can be named "__proto__": choose another name.');
}

/** A number as JSON writes it. */
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d{1,3})?$/i;

function coerced(value: unknown, { type }: { type?: string }): unknown {
  if (type === 'array') return typeof value === 'string' ? (fromJson(value) ?? [value]) : value;
  if (type === 'object') return typeof value === 'string' ? (fromJson(value) ?? value) : withBooleans(value);
  if (typeof value !== 'string') return value;
  if (type === 'boolean') return value === 'true' || value === 'false' ? value === 'true' : value;
  if (type === 'integer' || type === 'number') return NUMBER.test(value) ? Number(value) : value;
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

/** Reads the `exists` of conditions: `tags.a.exists=true`, `tags.a.not.exists=true`. */
function withBooleans(filter: unknown): unknown {
  if (!isObject(filter)) return filter;
  return Object.fromEntries(Object.entries(filter).map(([tag, condition]) => [tag, withExists(condition)]));
}

function withExists(condition: unknown): unknown {
  if (!isObject(condition)) return condition;
  const { exists, not, ...others } = condition;
  return {
    ...others,
    ...(exists !== undefined && { exists: coerced(exists, { type: 'boolean' }) }),
    ...(not !== undefined && { not: withExists(not) }),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
