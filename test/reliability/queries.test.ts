import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FoundPassage, WaymarkError } from 'waymark';
import { lexicalScorer } from '#src/search/lexical-score.js';
import { queryTerms } from '#src/text/query-terms.js';
import { engineOf } from '../support/engine.js';
import { fileToPut, putNow } from '../support/file-to-put.js';
import { storeOf } from '../support/store.js';
import { tell, times } from './torture.js';

const LINES = [
  'The max_connections option.',
  'Written in C++ for node.js.',
  'データベースの接続',
  'การเชื่อมต่อ',
  'reset by peer',
];

const syntax = fc.constantFrom(
  ...'" \' * : ^ - + ( ) { } [ ] ~ | & < > = \\ / . , ; % $ # @ ! ? _ “ ” „'.split(' '),
  ...[
    ' ',
    '\0',
    '\n',
    '\r\n',
    '\t',
    '\u00A0',
    '\u200D',
    '\u202E',
    '\uFEFF',
    '\uFFFF',
    '\uD83D',
    '\uDE00',
    '\u{10FFFF}',
  ],
  ...[
    'AND',
    'OR',
    'NOT',
    'NEAR',
    'NEAR(a b, 2)',
    'text:',
    'breadcrumb :',
    '{text breadcrumb}:',
    'rowid',
    'postings_1',
    '""',
    '"a" *',
  ],
  ...[
    'peer',
    'max_connections',
    'C++',
    '接続',
    'การ',
    '서버',
    "'; DROP TABLE files; --",
    '__proto__',
    'constructor',
    'toString',
  ],
  ...[
    '{{a}}',
    '#{a}',
    '<%= a %>',
    '(a+)+$',
    '[a-z]*',
    '.*',
    '\\b',
    '(?=',
    '%s',
    '%00',
    '../',
    'e\u0301',
    'ﬁ',
    'İ',
    'ß',
    '👩‍👩‍👧',
    '🇩🇪',
  ],
);
const joined = fc.array(syntax, { maxLength: 30 }).map((parts) => parts.join(''));
const spaced = fc.array(syntax, { maxLength: 60 }).map((parts) => parts.join(' '));
const anyPlane = fc
  .array(fc.integer({ min: 0, max: 0x10_ff_ff }), { maxLength: 40 })
  .map((points) => String.fromCodePoint(...points));
const repeated = fc
  .tuple(syntax, fc.integer({ min: 1, max: 2100 }))
  .map(([part, count]) => part.repeat(count).slice(0, 2100));
const manyTerms = fc
  .array(fc.stringMatching(/^[a-z0-9_.'-]{1,6}$/), { minLength: 100, maxLength: 300 })
  .map((terms) => terms.join(' '));
const short = fc.oneof(
  joined,
  spaced,
  anyPlane,
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);
const strings = fc.oneof({ weight: 300, arbitrary: short }, { weight: 2, arbitrary: repeated }, manyTerms);

test('the terms of any string are valid for FTS5', { timeout: 30 * 60_000 }, async () => {
  const { store } = await storeOf();
  await putNow(store, fileToPut('notes', LINES));
  const numRuns = times(20_000, 1_000_000);
  await fc.assert(
    fc.asyncProperty(strings, async (query) => {
      const asked = queryTerms(query);
      if (asked.terms.length > 32 || asked.phrases.length > 32) throw new Error('more terms than are asked');
      for (const term of [...asked.terms, ...asked.phrases.flat()]) {
        if (term === '' || /\s/u.test(term) || !term.isWellFormed())
          throw new Error(`a term is ${JSON.stringify(term)}`);
      }
      const { candidates, statistics } = await store.retrieve({ lexical: asked, limit: 10 });
      const scorer = lexicalScorer(asked, statistics);
      for (const candidate of candidates) {
        const { bm25: score } = scorer.match(candidate);
        if (!(score > 0 && Number.isFinite(score))) throw new Error(`a score of ${score}`);
      }
    }),
    { numRuns, seed: 11 },
  );
  tell(`queries: ${numRuns} strings through lexical analysis and FTS5`);
});

const oneOf = <T>(...values: T[]) => fc.constantFrom(undefined, ...values);
/** A value, rarely out of range. */
const rarely = <T>(good: fc.Arbitrary<T>, ...wrong: T[]) =>
  fc.oneof({ weight: 30, arbitrary: good }, { weight: 1, arbitrary: fc.constantFrom(...wrong) });
const flags = oneOf(true, false);
const tagValue = fc.oneof(joined, fc.constantFrom('1', '2'), fc.array(joined, { maxLength: 3 }));
const tags = fc.option(
  fc.dictionary(
    fc.oneof(fc.constantFrom('kind', '__proto__', ''), joined),
    fc.oneof(tagValue, fc.record({ not: tagValue })),
    { maxKeys: 2 },
  ),
  { nil: undefined, freq: 1 },
);
const request = fc.record({
  query: fc.oneof(
    strings,
    fc.constantFrom('', ' ', 'x'.repeat(2048), 'x'.repeat(2049), '日'.repeat(682), '日'.repeat(683)),
  ),
  limit: rarely(oneOf(1, 2, 10, 50), 0, 51, 1.5, Number.NaN),
  contextDepth: rarely(oneOf(0, 1, 10), -1, 11),
  consolidate: flags,
  includeBreadcrumb: flags,
  withContext: flags,
  tags,
});
const options = fc.record({
  mode: oneOf('hybrid' as const, 'dense' as const, 'lexical' as const),
  minScore: rarely(oneOf(0, 0.5, 1), -1, 2),
  positions: flags,
  explain: flags,
  highlight: flags,
});

test('searchFiles answers any query with any options, or says what is wrong', {
  timeout: 30 * 60_000,
}, async () => {
  const engine = await engineOf();
  for (let i = 0; i < 12; i++) {
    const text = `# File ${i}\n\n${LINES[i % LINES.length]}\n\n## Part\n\nAND text: ${i} "peer" {{a}}\n\n- (a+)+$ 😀\n`;
    await engine.indexFile(`f${i}.md`, text, { tags: { kind: String(i % 3) } });
  }
  const numRuns = times(300, 20_000);
  let answers = 0;
  await fc.assert(
    fc.asyncProperty(request, options, async (asked, how) => {
      let passages: readonly FoundPassage[];
      try {
        ({ passages } = await engine.searchFiles({ ...asked, ...how }));
      } catch (error) {
        expect(error).toBeInstanceOf(WaymarkError);
        expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringMatching(/\S\.$/) });
        return;
      }
      answers++;
      expect(passages.length).toBeLessThanOrEqual(asked.limit ?? 20);
      const scores = passages.map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      for (const { score, content, file, context } of passages) {
        expect(score).toBeGreaterThanOrEqual(how.minScore ?? 0);
        expect(score).toBeLessThanOrEqual(1);
        expect(content.trim()).not.toBe('');
        expect(file.key).toMatch(/^f\d+\.md$/);
        expect(context !== undefined).toBe(asked.withContext === true);
      }
    }),
    { numRuns, seed: 12 },
  );
  expect(answers).toBeGreaterThan(numRuns / 4);
  tell(`queries: ${numRuns} through searchFiles, ${answers} of them answered`);
});
