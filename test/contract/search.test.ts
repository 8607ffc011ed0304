import { expect, test } from 'vitest';
import type { SearchOptions } from 'waymark';
import { engineOf } from '../support/engine.js';

const PATH = 'a non-empty string that is a file, a folder or a glob, or a list of them';

test('a value out of range is refused with the option, the value and the range', async () => {
  const engine = await engineOf();
  const refused: readonly (readonly [unknown, string])[] = [
    [{ limit: 0 }, 'limit must be an integer from 1 to 1000; it is 0.'],
    [{ limit: 1001 }, 'limit must be an integer from 1 to 1000; it is 1001.'],
    [{ limit: 2.5 }, 'limit must be an integer from 1 to 1000; it is 2.5.'],
    [{ minScore: 1.1 }, 'minScore must be a number from 0 to 1; it is 1.1.'],
    [{ minScore: -0.1 }, 'minScore must be a number from 0 to 1; it is -0.1.'],
    [{ minScore: Number.NaN }, 'minScore must be a number from 0 to 1; it is NaN.'],
    [{ minScore: '0.5' }, 'minScore must be a number from 0 to 1; it is "0.5".'],
    [{ mode: 'fuzzy' }, 'mode must be hybrid, dense or lexical; it is "fuzzy".'],
    [{ explain: 1 }, 'explain must be true or false; it is 1.'],
    [{ path: 7 }, `path must be ${PATH}; it is 7.`],
    [{ path: '' }, `path must be ${PATH}; it is "".`],
    [{ path: ['a', ''] }, `path must be ${PATH}; it is [ 'a', '' ].`],
    [{ path: { not: 'a' } }, `path must be ${PATH}; it is { not: 'a' }.`],
    [{ path: 'a'.repeat(1001) }, 'A path must have at most 1000 characters; it has 1001.'],
    [{ path: Array(1001).fill('a') }, 'path must have at most 1000 paths; it has 1001.'],
    [{ path: Array(11).fill('*'.repeat(100)) }, 'path must have at most 1000 characters of globs; it has 1100.'],
    [{ tags: { a: 1 } }, expect.stringMatching(/^tags\.a must be a value, .*; it is 1\.$/)],
  ];
  for (const [options, message] of refused) {
    await expect(engine.search('apples', options as SearchOptions)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message,
    });
  }
  for (const query of ['', ' ', 'a'.repeat(2049)]) {
    await expect(engine.search(query)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/^query must be a non-empty string of at most 2048 bytes; it is "/),
    });
  }
});

test('the ends of the ranges are allowed', async () => {
  const engine = await engineOf();
  for (const options of [{ limit: 1 }, { limit: 1000 }, { minScore: 0 }, { minScore: 1 }]) {
    expect(await engine.search('apples', options)).toEqual([]);
  }
});
