import { inspect } from 'node:util';
import { WaymarkError } from '../domain/errors.js';
import { z } from '../domain/zod.js';
import { ruleOf } from './fields/field.js';
import { isPlainObject } from './fields/plain-object.js';
import { excessSentence } from './fields/within.js';
import type { Operation, ValidRequestOf } from './operation.js';

/** Checks a request of an operation and fills in defaults. Unknown fields are ignored. Throws `INVALID_ARGUMENT`. */
export function validateRequest<Op extends Operation>(operation: Op, request: unknown): ValidRequestOf<Op> {
  return validate(operation.request, request) as ValidRequestOf<Op>;
}

/**
 * Checks a value against an object schema whose fields are described (`.describe('an integer from 0 to 10')`). `called`
 * names the value in a sentence. Throws `INVALID_ARGUMENT` with the field, what it must be and what it is.
 */
export function validate<Schema extends z.ZodObject>(
  schema: Schema,
  value: unknown,
  { called = 'The request' }: { readonly called?: string } = {},
): z.output<Schema> {
  if (hasPrototypeMember(value)) throw prototypeMember([], called);
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    throw new WaymarkError('INVALID_ARGUMENT', problemOf(schema, { value, error: parsed.error }), {
      cause: parsed.error,
    });
  }
  refuseDropped(value, parsed.data, []);
  return parsed.data;
}

/**
 * The options of a call. Throws `INVALID_ARGUMENT` for what is not a plain object: members that it inherits, such as
 * the accessors of a class, would be lost where options are put together, and with them a filter.
 */
export function plainOptions<Options extends object>(options: Options): Options {
  if (isPlainObject(options)) return options;
  throw new WaymarkError('INVALID_ARGUMENT', `The options must be a plain object; they are ${shown(options)}.`);
}

function problemOf(schema: z.ZodObject, { value, error }: { value: unknown; error: z.ZodError }): string {
  const excess = excessSentence(error.issues);
  if (excess !== undefined) return excess;
  const [issue] = error.issues;
  if (!issue || issue.path.length === 0) {
    return issue?.code === 'custom' ? issue.message : `The request must be an object; it is ${shown(value)}.`;
  }
  // A wrong name breaks the rule of the whole record.
  const { rule, path } = innermostRule(schema, issue.code === 'invalid_key' ? issue.path.slice(0, -1) : issue.path);
  return `${nameOf(path)} must be ${rule ?? 'valid'}; it is ${shown(valueAt(value, path))}.`;
}

/** The rule of the innermost described field on the path to a wrong value, and the path to that field. */
function innermostRule(
  schema: z.ZodObject,
  path: readonly PropertyKey[],
): { rule: string | undefined; path: readonly PropertyKey[] } {
  let found: { rule: string | undefined; path: readonly PropertyKey[] } = { rule: undefined, path: path.slice(0, 1) };
  let inner: z.core.$ZodType | undefined = schema;
  for (const [depth, key] of path.entries()) {
    inner = inner && memberOf(inner, key);
    const rule = inner && ruleOf(inner as z.ZodType);
    if (rule !== undefined) found = { rule, path: path.slice(0, depth + 1) };
  }
  return found;
}

function memberOf(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'object') return def.shape[String(key)];
  if (def.type === 'array') return def.element;
  if (def.type === 'record') return def.valueType;
  return def.type === 'optional' || def.type === 'nullable' || def.type === 'default'
    ? memberOf(def.innerType, key)
    : undefined;
}

/** `passages[0].type` */
function nameOf(path: readonly PropertyKey[]): string {
  const [first, ...others] = path;
  return `${String(first)}${others.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((outer, key) => (outer as Record<PropertyKey, unknown>)[key], value);
}

/** Refuses members named `__proto__`: Zod's records drop them, and a filter would lose a condition. */
function refuseDropped(value: unknown, kept: unknown, path: readonly PropertyKey[]): void {
  const isList = Array.isArray(kept);
  if (value === kept || !(isList || isPlainObject(kept))) return;
  if (hasPrototypeMember(value) && !hasPrototypeMember(kept)) throw prototypeMember(path);
  for (const [name, inner] of Object.entries(kept)) {
    const given: unknown = Object.getOwnPropertyDescriptor(Object(value), name)?.value;
    refuseDropped(given, inner, [...path, isList ? Number(name) : name]);
  }
}

function prototypeMember(path: readonly PropertyKey[], called?: string): WaymarkError {
  const message = `${called ?? nameOf(path)} cannot have a member "__proto__": choose another name.`;
  const cause = new z.ZodError([{ code: 'custom', path: [...path, '__proto__'], message }]);
  return new WaymarkError('INVALID_ARGUMENT', message, { cause });
}

function hasPrototypeMember(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__');
}

/** The prefix that `inspect` gives objects without a prototype, such as those of a query parser. */
const NULL_PROTOTYPE = '[Object: null prototype] ';

/** A value as a person would recognise it, abbreviated to 80 characters. */
export function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  return abbreviated(typeof value === 'string' ? JSON.stringify(value) : inspected(value));
}

/** A text for an error message: its first characters and an ellipsis if it has more than 80. `shown` does so itself. */
export function abbreviated(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77).toWellFormed()}…` : text;
}

function inspected(value: unknown): string {
  try {
    return inspect(value, { breakLength: Number.POSITIVE_INFINITY, compact: true }).replaceAll(NULL_PROTOTYPE, '');
  } catch {
    // Its own code may throw: an accessor, or an inspection that it defines.
    return `a value of type ${typeof value}`;
  }
}
