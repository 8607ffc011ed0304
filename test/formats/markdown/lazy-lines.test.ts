import { expect, test } from 'vitest';
import parseMarkdown from '#src/formats/markdown/parse-markdown.js';
import { options, outline } from './counting.js';

const WARNING =
  'A paragraph of a quote or a list must have at most 1000 lines in a row without its mark or indentation: ' +
  'it was cut at lines, without headings.';

test.each([
  ['a quote', '> a\n'],
  ['a list', '- a\n'],
  ['a quote in a list', '- > a\n'],
  ['a footnote', '[^a]: a\n'],
])('a paragraph of %s with 999 lazy lines is parsed, with 1,001 it is cut at lines', (_, start) => {
  const text = (lines: number) => `# Title\n\n${start}${'b\n'.repeat(lines)}\nc`;
  expect(parseMarkdown(text(999), options())).toMatchObject({ title: 'Title', warnings: [] });
  const cut = parseMarkdown(text(1001), options());
  expect([cut.title, cut.warnings]).toEqual([undefined, [WARNING]]);
  expect(cut.passages[0]?.breadcrumb).toEqual([]);
});

test.each([
  ['several paragraphs', `> a\n${'b\n'.repeat(600)}\n`.repeat(3)],
  ['lines with their marker', `> a\n${'> b\n'.repeat(3000)}`],
  ['lines with their indentation', `- a\n${'  b\n'.repeat(3000)}`],
  ['lines of a paragraph alone', 'b\n'.repeat(3000)],
])('%s do not count as lazy lines in a row', (_, text) => {
  expect(parseMarkdown(`# Title\n\n${text}`, options())).toMatchObject({ title: 'Title', warnings: [] });
});

test('a lazy line belongs to the quote that it continues', () => {
  expect(outline('# A\n\n> a\nb')).toEqual(['A: > a\nb']);
});
