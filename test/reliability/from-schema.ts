import fc from 'fast-check';

/** The subset of JSON Schema that our documents use. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema | boolean;
}

/** Texts that have broken other services. */
export const HOSTILE: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'not',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00a',
  '../../etc/passwd',
  '..%2f..%2f',
  '%00',
  '%',
  '"',
  "'; DROP TABLE files; --",
  '" OR 1=1',
  '*',
  'NEAR(a b)',
  'text:kettle',
  '[object Object]',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e999',
  '9007199254740993',
  '\r\nX-Injected: yes',
  '\u202e\u200d\ufeff',
  'e\u0301\u00e9',
  '👩‍👩‍👧‍👦',
  '{{7*7}}',
  '<script>',
  'W10',
  'WyJmaWxlcy5rZXkiLCJhc2MiXQ',
  'a'.repeat(1001),
];

/** Mostly short texts, sometimes hostile ones. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 2, arbitrary: fc.constantFrom(...HOSTILE) },
);

/** Values that match a schema. */
export function valid(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valid));
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'integer') {
    const { minimum: min = -1000, maximum: max = 1000 } = schema;
    return fc.oneof(
      fc.integer({ min: Math.max(min, -1000), max: Math.min(max, 1000) }),
      fc.constantFrom(Math.max(min, -(2 ** 53) + 1), Math.min(max, 2 ** 53 - 1)),
    );
  }
  if (schema.type === 'string') return validText(schema);
  if (schema.type === 'array') {
    return fc.array(valid(schema.items ?? {}), { maxLength: Math.min(schema.maxItems ?? 5, 5) });
  }
  if (schema.type === 'object') return validObject(schema);
  return fc.jsonValue({ maxDepth: 3 });
}

function validText({ format, pattern, minLength = 0, maxLength = 5000 }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time') {
    const range = { min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true };
    return fc.date(range).map((date) => date.toISOString());
  }
  const form = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  return text.filter((given) => {
    const { length } = [...given];
    return length >= minLength && length <= maxLength && (form?.test(given) ?? true);
  });
}

function validObject({ properties = {}, required = [], propertyNames, additionalProperties }: Schema) {
  const known = fc.record(Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, valid(each)])), {
    requiredKeys: [...required],
  });
  if (typeof additionalProperties !== 'object') return known;
  const names = valid({ type: 'string', ...propertyNames }) as fc.Arbitrary<string>;
  return fc.dictionary(names, valid(additionalProperties), { maxKeys: 4, noNullPrototype: true });
}

/** Values that may not match a schema: another type, or an object with one member wrong, missing or added. */
export function invalid(schema: Schema): fc.Arbitrary<unknown> {
  const other = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    text,
    fc.constantFrom(null, '', [], {}, -1, 0.5, 1e308, 2 ** 53, true, 'a'.repeat(20_000), nested(2000)),
  );
  const { properties = {} } = schema;
  const names = Object.keys(properties);
  if (names.length === 0) return other;
  const wrong = fc
    .tuple(valid(schema), fc.constantFrom(...names), other)
    .map(([object, name, value]) => ({ ...(object as object), [name]: value }));
  const missing = fc.tuple(valid(schema), fc.constantFrom(...names)).map(([object, name]) => {
    const { [name]: _, ...rest } = object as Record<string, unknown>;
    return rest;
  });
  const more = fc
    .tuple(valid(schema), text, other)
    .map(([object, name, value]) =>
      Object.defineProperty({ ...(object as object) }, name, { value, enumerable: true }),
    );
  return fc.oneof(other, wrong, missing, more);
}

function nested(depth: number): unknown {
  let value: unknown = {};
  for (let i = 0; i < depth; i += 1) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}
