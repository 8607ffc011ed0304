import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SearchFilesRequest, withKnowledge } from 'waymark';
import { indexed } from '../search/indexed.js';
import { message } from './events.js';

/** Returns a function from a preview to the query that is searched for it, undefined if there is none. */
async function queryRecorder(): Promise<(preview: string) => Promise<string | undefined>> {
  const engine = await indexed({ 'a.md': 'apples' });
  return async (preview) => {
    let query: string | undefined;
    const searchFiles = (request: SearchFilesRequest) => {
      query = request.query;
      return engine.searchFiles(request);
    };
    const onError = (error: unknown) => {
      throw error;
    };
    await withKnowledge(message(preview), { search: { searchFiles }, knowledgeBases: [{ name: 'all' }], onError });
    return query;
  };
}

test('a preview of up to 2,048 bytes is the query, without surrounding whitespace', async () => {
  const queryFor = await queryRecorder();
  expect(await queryFor(' \n red apples?\t')).toBe('red apples?');
  expect(await queryFor('x'.repeat(2048))).toBe('x'.repeat(2048));
  expect(await queryFor(' '.repeat(5000).concat('red'))).toBe('red');
});

const FAMILY = '\u{1F468}\u200d\u{1F469}\u200d\u{1F467}';

test.each([
  ['between words', 'apple '.repeat(400), 'apple '.repeat(341).trimEnd()],
  ['after a word that just fits', `${'x'.repeat(2042)} apple tree`, `${'x'.repeat(2042)} apple`],
  ['before a word that does not fit', `${'x '.repeat(1022)}apples`, 'x '.repeat(1022).trimEnd()],
  ['between graphemes of a word that takes more than half', `a ${'é'.repeat(2000)}`, `a ${'é'.repeat(1023)}`],
  ['between graphemes, not within them', FAMILY.repeat(200), FAMILY.repeat(113)],
  ['before a grapheme that the next code point continues', `${'x'.repeat(2047)}e\u0301`, 'x'.repeat(2047)],
  [
    'between code points of a grapheme that takes more than half',
    `a${'\u0301'.repeat(3000)}`,
    `a${'\u0301'.repeat(1023)}`,
  ],
  [
    'between words of a script without spaces',
    '我们的果园里有苹果树。'.repeat(100),
    '我们的果园里有苹果树。'.repeat(62),
  ],
])('a longer preview is cut %s', async (_, preview, query) => {
  const queryFor = await queryRecorder();
  expect(await queryFor(preview)).toBe(query);
});

test('any preview yields a query that is a prefix of it, fits and is well-formed', async () => {
  const queryFor = await queryRecorder();
  const unit = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.constantFrom(' ', '\ud83c', FAMILY),
  );
  const preview = fc.array(unit, { minLength: 200, maxLength: 600 }).map((units) => units.join(''));
  await fc.assert(
    fc.asyncProperty(preview, async (given) => {
      const query = (await queryFor(given)) ?? '';
      const trimmed = given.trim().toWellFormed();
      expect(trimmed.startsWith(query)).toBe(true);
      expect(query.isWellFormed()).toBe(true);
      expect(Buffer.byteLength(query)).toBeLessThanOrEqual(2048);
      if (query !== trimmed) expect(Buffer.byteLength(query)).toBeGreaterThan(900);
    }),
    { numRuns: 50, examples: [[' '.repeat(200)], ['apples']] },
  );
});

test('ten megabytes of one character are cut like any other preview', async () => {
  const queryFor = await queryRecorder();
  expect(await queryFor('a'.repeat(10 * 2 ** 20))).toBe('a'.repeat(2048));
  expect(await queryFor('\u0301'.repeat(5 * 2 ** 20))).toBe('\u0301'.repeat(1024));
});
