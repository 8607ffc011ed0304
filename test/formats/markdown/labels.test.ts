import fc from 'fast-check';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { expect, onTestFinished, test, vi } from 'vitest';
import { resolveTextInPortions } from '#src/formats/markdown/micromark/text-in-portions.js';
import { parseMdast } from '#src/formats/markdown/parse-mdast.js';

const remark = unified().use(remarkParse).use(remarkGfm);

const DEFINITIONS = '\n\n[a]: /a\n[b c]: <b> "t"\n[^a]: note\n[^b]: [a]\n';

const piece = fc.constantFrom(
  ...['[', '![', '[^', '![^', ']', '](', '](c)', '](c "t")', '][', '][]', '(', ')', 'a', 'b c', 'b', '^', '!'],
  ...['\\', '*', '`', '<a>', ' ', '  ', '\n', '  \n', '\n> ', '\t', '&amp;', '.'],
);
const texts = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join('') + DEFINITIONS);

test('links, images, references and footnotes are those of remark', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(parseMdast(text, { isMdx: false })).toEqual(remark.parse(text));
    }),
    {
      numRuns: 500,
      examples: [
        ['![^a] [![^a]](c) ![[^a]] ![x ![^b]]'],
        ['[a [b](c) d](e) [f [g][a] h][a]'],
        ['![a ![b ![c](d) e](f) g](h) [[[a]]]'],
        ['[[]][a] ![]] ![^a]] [^a]](c)'],
      ].map(([text]) => [text + DEFINITIONS] as [string]),
    },
  );
});

test('links in MDX may contain brackets, as in markdown', () => {
  const text = '[a [b] c](d)';
  expect(parseMdast(text, { isMdx: true })).toEqual(parseMdast(text, { isMdx: false }));
});

test('resolving a long text in portions gives the same tree as remark', () => {
  const long = fc.array(fc.tuple(texts, fc.nat(60)), { minLength: 1, maxLength: 4 });
  const sample = fc
    .sample(long, { numRuns: 20, seed: 1 })
    .map((parts) => parts.map(([text, times]) => text.replaceAll('\n\n', ' ').repeat(times)).join(' '));
  const expected = sample.map((text) => remark.parse(text));
  resolveTextInPortions();
  for (const [i, text] of sample.entries()) expect(remark.parse(text)).toEqual(expected[i]);
});

test('a reference has at most 999 characters between its brackets', () => {
  const label = 'a'.repeat(1000);
  const [, paragraph] = parseMdast(`[a]: b\n\n[${label}]`, { isMdx: false }).children;
  expect(paragraph).toMatchObject({ children: [{ type: 'text' }] });
});

test.each([
  ['brackets in brackets', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['brackets that only close', `[a]${']'.repeat(200_000)}`],
])('a paragraph of 200,000 characters is parsed: %s', (_, text) => {
  expect(parseMdast(text, { isMdx: false }).children).toMatchObject([
    { type: 'paragraph', children: [{ value: text }] },
  ]);
});

/** How many elements of lists are moved while a text is parsed, because those before them change. */
function moved(text: string): number {
  let elements = 0;
  const { splice } = Array.prototype;
  const spy = vi.spyOn(Array.prototype, 'splice').mockImplementation(function (this: unknown[], ...args) {
    const [start, removed = 0] = args as unknown as [number, number?];
    elements += Math.max(0, this.length - start - removed);
    return splice.apply(this, args as unknown as [number, number]);
  });
  onTestFinished(() => spy.mockRestore());
  parseMdast(text, { isMdx: false });
  spy.mockRestore();
  return elements;
}

test.each([
  ['links without an end', '[a]('],
  ['images without an end', '![a]'],
  ['hard breaks', 'a  \n'],
])('twice the text moves at most about twice as many events: %s', (_, piece) => {
  resolveTextInPortions();
  expect(moved(piece.repeat(4_000))).toBeLessThan(3 * moved(piece.repeat(2_000)) + 1000);
});
