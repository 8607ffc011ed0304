import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonSchemaOf } from '#src/contract/json-schema.js';
import { type HttpOperation, placeOf } from '#src/contract/operation.js';
import { OPERATIONS } from '#src/contract/operations/index.js';
import { LIMITS } from '#src/domain/limits.js';
import { transports } from '../contract/support/transports.js';
import { invalid, type Schema, text, valid } from './from-schema.js';
import { tell, times } from './torture.js';

type Id = keyof typeof OPERATIONS;

const IDS = Object.keys(OPERATIONS) as Id[];

/** Values at, just below and just above each limit that a request can reach. */
const amounts = fc
  .tuple(fc.constantFrom(...new Set(Object.values(LIMITS).map(({ value }) => value))), fc.integer({ min: -1, max: 1 }))
  .map(([value, more]) => value + more);

const lengths = amounts.filter((amount) => amount <= 20_001);

const edges: fc.Arbitrary<unknown> = fc.oneof(
  amounts,
  fc.tuple(lengths, fc.constantFrom('a', 'é', '\u{1f600}', '\u0301')).map(([length, unit]) => unit.repeat(length)),
  lengths.filter((length) => length < 2000).map((length) => Array.from({ length }, (_, i) => `${i}`)),
  lengths.filter((length) => length < 2000).map((length) => members(length)),
  lengths.filter((length) => length < 2000).map((length) => nested(length)),
);

function members(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`name${i}`, `${i}`]));
}

function nested(depth: number): unknown {
  let value: unknown = {};
  for (let level = 1; level < depth; level += 1) value = { a: value };
  return value;
}

/** Requests of an operation: by its schema, against it, and with one field or member at the edge of a limit. */
function requests(id: Id): fc.Arbitrary<Record<string, unknown>> {
  const schema = jsonSchemaOf(OPERATIONS[id].request) as Schema;
  const { properties = {} } = schema;
  const known = valid(schema) as fc.Arbitrary<Record<string, unknown>>;
  const onFile = known.map((request) => ('id' in properties ? { ...request, id: 'a.md' } : request));
  const names = Object.keys(properties);
  const changed = (value: fc.Arbitrary<unknown>) =>
    fc.tuple(onFile, fc.constantFrom(...names), value).map(([request, name, given]) => ({ ...request, [name]: given }));
  const inside = fc.oneof(
    edges.map((value) => ({ a: value })),
    edges.map((value) => [value]),
    edges.map((value) => [{ content: value }]),
    edges.map((value) => ({ a: { not: value } })),
  );
  const wrong = invalid(schema).filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
  const request = fc.oneof(
    { weight: 2, arbitrary: onFile },
    { weight: 1, arbitrary: known },
    { weight: 2, arbitrary: changed(edges) },
    { weight: 2, arbitrary: changed(inside) },
    { weight: 1, arbitrary: changed(text) },
    { weight: 1, arbitrary: wrong as fc.Arbitrary<Record<string, unknown>> },
  );
  return (
    request
      // As JSON gives it: no object without a prototype.
      .map((given) => JSON.parse(JSON.stringify(given)) as Record<string, unknown>)
  );
}

/** What a caller may be told; anything else is a failure of Waymark. */
const REFUSALS = [
  'INVALID_ARGUMENT',
  'FILE_MISSING',
  'FILE_EXISTS',
  'BOT_MISSING',
  'BOT_EXISTS',
  'KNOWLEDGE_BASE_MISSING',
  'WORKSPACE_MISSING',
  'WORKSPACE_EXISTS',
  'RESPONSE_TOO_LARGE',
  'TEXT_TOO_LONG',
];

/** Operations that answer a second time with something else: a new id, or that there is nothing left to delete. */
const ONCE = /^(create|copy|delete)/;

test('a request at any limit is answered or refused in one sentence, alike in process and over HTTP', async () => {
  const ways = await transports();
  const runs = times(10, 600);
  const told = new Map<string, number>();
  for (const id of IDS) {
    await fc.assert(
      fc.asyncProperty(requests(id), async (given) => {
        const inProcess = await ways['in process'](id, given);
        const code = 'code' in inProcess ? inProcess.code : 'answered';
        told.set(code, (told.get(code) ?? 0) + 1);
        if ('code' in inProcess) {
          expect(REFUSALS).toContain(inProcess.code);
          expect(inProcess.message).toMatch(/^[\s\S]{10,400}[.…]$/);
        }
        if ((code === 'answered' && ONCE.test(id)) || !isSendable(id, given)) return;
        // The service checks the bot that a header names before it reads the request.
        if (code === 'INVALID_ARGUMENT' && 'destinationBotId' in given) return;
        expect(await ways['raw HTTP'](id, given)).toEqual(inProcess);
      }),
      { numRuns: runs },
    );
  }
  const counts = [...told].map(([code, count]) => `${count} ${code}`).join(', ');
  tell(`contract-fuzz: ${IDS.length * runs} requests in process and over HTTP, alike: ${counts}`);
});

/** Bytes that fit into the path of a request, its URL, and its body. */
const PATH_BYTES = 12_000;
const URL_BYTES = 30_000;
const BODY_BYTES = 1_000_000;

/** What a header carries unchanged: visible ASCII characters, and blanks between them. */
const HEADER_VALUE = /^(?! )[ -~]{1,1000}(?<! )$/;

/** Whether a request reaches the service as it is: a URL has strings only, and no half of a character. */
function isSendable(id: Id, request: Record<string, unknown>): boolean {
  const json = JSON.stringify(request);
  const operation: HttpOperation = OPERATIONS[id];
  const { properties = {} } = jsonSchemaOf(operation.request) as Schema;
  const at = (place: string) => Object.entries(request).filter(([name]) => placeOf(operation, name) === place);
  const inUrl = [...at('path'), ...at('query')];
  const isTyped = [...inUrl, ...at('header')].every(
    ([name, value]) => typeOf(value) === properties[name]?.type && !isOtherList(value),
  );
  const bytes = encodeURIComponent(json.toWellFormed()).length;
  // Over HTTP, an upload is smaller.
  if (Number(request.size) > LIMITS.upload.value) return false;
  const fits = operation.method === 'PUT' ? bytes < BODY_BYTES : bytes < URL_BYTES;
  // A list repeats its name for each item.
  const parameters = inUrl.flatMap(([, value]) => value).length;
  const path = Object.keys(properties)
    .filter((name) => placeOf(operation, name) === 'path')
    .map((name) => encodeURIComponent(String(request[name] ?? '').toWellFormed()));
  return (
    json.isWellFormed() &&
    !json.includes('\\ud') &&
    isTyped &&
    fits &&
    parameters <= LIMITS.parameters.value &&
    // A URL has no folders named `.` and `..`.
    path.every((part) => part.length > 0 && part.length < PATH_BYTES && !/^\.\.?$/.test(part)) &&
    at('header').every(([, value]) => HEADER_VALUE.test(String(value)))
  );
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  // A query string has no null.
  if (value === null) return 'null';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Whether a URL gives another value: it repeats a name for each item of a list, and each is a string. */
function isOtherList(value: unknown): boolean {
  return Array.isArray(value) && (value.length === 0 || !value.every((item) => typeof item === 'string'));
}
