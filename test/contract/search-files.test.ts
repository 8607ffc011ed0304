import { expect, test } from 'vitest';
import type { SearchFilesRequest } from 'waymark';
import { engineOf } from '../support/engine.js';

/** As a caller without types passes it. */
function untyped(request: unknown): SearchFilesRequest {
  return request as SearchFilesRequest;
}

const QUERY = 'a non-empty string of at most 2048 bytes';
const LIMIT = 'an integer from 1 to 50';
const DEPTH = 'an integer from 0 to 10';
const CONDITION = 'a value, a list of values, or an object of the operators in, not and exists';
const TAGS = `an object of tag names to ${CONDITION}`;

const REFUSED: readonly (readonly [object, string])[] = [
  [{ query: undefined }, `query must be ${QUERY}; it is missing.`],
  [{ query: '' }, `query must be ${QUERY}; it is "".`],
  [{ query: ' \n\t\u3000' }, `query must be ${QUERY}; it is " \\n\\t\u3000".`],
  [{ query: 7 }, `query must be ${QUERY}; it is 7.`],
  [{ query: null }, `query must be ${QUERY}; it is null.`],
  [{ query: ['a'] }, `query must be ${QUERY}; it is [ 'a' ].`],
  [{ query: 'a'.repeat(2049) }, `query must be ${QUERY}; it is "${'a'.repeat(76)}….`],
  [{ query: '鍵'.repeat(683) }, `query must be ${QUERY}; it is "${'鍵'.repeat(76)}….`],
  [{ limit: 0 }, `limit must be ${LIMIT}; it is 0.`],
  [{ limit: 51 }, `limit must be ${LIMIT}; it is 51.`],
  [{ limit: -1 }, `limit must be ${LIMIT}; it is -1.`],
  [{ limit: 1.5 }, `limit must be ${LIMIT}; it is 1.5.`],
  [{ limit: Number.NaN }, `limit must be ${LIMIT}; it is NaN.`],
  [{ limit: Number.POSITIVE_INFINITY }, `limit must be ${LIMIT}; it is Infinity.`],
  [{ limit: '10' }, `limit must be ${LIMIT}; it is "10".`],
  [{ limit: 10n }, `limit must be ${LIMIT}; it is 10n.`],
  [{ limit: null }, `limit must be ${LIMIT}; it is null.`],
  [{ contextDepth: -1 }, `contextDepth must be ${DEPTH}; it is -1.`],
  [{ contextDepth: 11 }, `contextDepth must be ${DEPTH}; it is 11.`],
  [{ contextDepth: 0.5 }, `contextDepth must be ${DEPTH}; it is 0.5.`],
  [{ contextDepth: Number.NaN }, `contextDepth must be ${DEPTH}; it is NaN.`],
  [{ contextDepth: '1' }, `contextDepth must be ${DEPTH}; it is "1".`],
  [{ consolidate: 'true' }, 'consolidate must be true or false; it is "true".'],
  [{ includeBreadcrumb: 1 }, 'includeBreadcrumb must be true or false; it is 1.'],
  [{ withContext: null }, 'withContext must be true or false; it is null.'],
  [{ tags: 'a' }, `tags must be ${TAGS}; it is "a".`],
  [{ tags: ['a'] }, `tags must be ${TAGS}; it is [ 'a' ].`],
  [{ tags: { a: 1 } }, `tags.a must be ${CONDITION}; it is 1.`],
  [{ tags: { a: [1] } }, `tags.a must be ${CONDITION}; it is [ 1 ].`],
  [{ tags: { a: { is: 'b' } } }, `tags.a must be ${CONDITION}; it is { is: 'b' }.`],
  [{ tags: { a: { not: 'b', or: 'c' } } }, `tags.a must be ${CONDITION}; it is { not: 'b', or: 'c' }.`],
];

test('a value out of range is refused with the field, the value and the range', async () => {
  const engine = await engineOf();
  await engine.indexFile('a.md', 'apples');
  for (const [fields, message] of REFUSED) {
    await expect(engine.searchFiles(untyped({ query: 'apples', ...fields })), message).rejects.toMatchObject({
      name: 'WaymarkError',
      code: 'INVALID_ARGUMENT',
      message,
    });
  }
});

test('a request that is not an object is refused', async () => {
  const engine = await engineOf();
  const requests = [
    [undefined, 'missing'],
    [null, 'null'],
    ['apples', '"apples"'],
    [7, '7'],
    [['apples'], "[ 'apples' ]"],
  ] as const;
  for (const [request, shown] of requests) {
    await expect(engine.searchFiles(untyped(request))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: `The request must be an object; it is ${shown}.`,
    });
  }
});

test('the ends of the ranges are allowed', async () => {
  const engine = await engineOf();
  await engine.indexFile('a.md', 'apples');
  const allowed = [
    { limit: 1 },
    { limit: 50 },
    { contextDepth: 0 },
    { contextDepth: 10 },
    { query: 'a' },
    { query: 'a'.repeat(2048) },
    { query: `${'鍵'.repeat(682)}aa` },
    { query: '👍'.repeat(512) },
  ];
  for (const fields of allowed) {
    expect((await engine.searchFiles({ query: 'apples', ...fields })).passages).toHaveLength(1);
  }
});

test('unknown fields are ignored, and undefined counts as missing', async () => {
  const engine = await engineOf();
  await engine.indexFile('a.md', 'apples');
  const plain = await engine.searchFiles({ query: 'apples' });
  expect(await engine.searchFiles(untyped({ query: 'apples', rerank: true, Limit: 0, 'tags.a': 1 }))).toEqual(plain);
  const missing = { limit: undefined, contextDepth: undefined, consolidate: undefined, tags: undefined };
  expect(await engine.searchFiles({ query: 'apples', ...missing })).toEqual(plain);
});
