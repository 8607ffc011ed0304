import fc from 'fast-check';
import { expect, test } from 'vitest';
import parseNotebook from '#src/formats/notebook/parse-notebook.js';
import { seeNotebook, showNotebook } from '#src/formats/notebook/visible-notebook.js';
import { options } from './markdown/counting.js';
import { cutViolations } from './markdown/invariants.js';

const markdown = (...source: string[]) => ({ cell_type: 'markdown', metadata: {}, source });
const code = (...source: string[]) => ({
  cell_type: 'code',
  metadata: { source: 'no', cell_type: 'no' },
  source,
  outputs: [{ output_type: 'stream', text: ['never read'], source: 'no' }],
});
const notebookOf = (...cells: object[]) => JSON.stringify({ cells, metadata: { a: 1 }, nbformat: 4 }, null, 1);

function passagesOf(text: string) {
  const { passages } = parseNotebook(text, options());
  return passages.map(({ breadcrumb, subtype, readable }) => [breadcrumb, subtype, readable]);
}

test('cells are read below the headings of the cells before them, and outputs are not', () => {
  const text = notebookOf(
    markdown('# Kettles\n', '\n', 'All about **them**.'),
    markdown('## Boiling'),
    code('kettle = Kettle()\n', 'kettle.boil("water")'),
    markdown('### Notes\n', 'It takes a while.'),
    markdown('## Cleaning\n', 'Once a week, please.'),
  );
  expect(parseNotebook(text, options()).title).toBe('Kettles');
  expect(passagesOf(text)).toEqual([
    [['Kettles'], 'paragraph', 'All about them.'],
    [['Kettles', 'Boiling'], 'code', 'kettle = Kettle()\nkettle.boil("water")'],
    [['Kettles', 'Boiling', 'Notes'], 'paragraph', 'It takes a while.'],
    [['Kettles', 'Cleaning'], 'paragraph', 'Once a week, please.'],
  ]);
});

test('headings without words, and those in quotes and lists, do not head the cells after them', () => {
  const text = notebookOf(
    markdown('# Kettles\n', '\n', '## \n', '\n', 'All about them.'),
    code('kettle = Kettle()'),
    markdown('## Boiling\n', '\n', '> # Said\n', '> It takes a while.\n', '\n', 'And so it does.'),
  );
  expect(passagesOf(text)).toEqual([
    [['Kettles'], 'paragraph', 'All about them.'],
    [['Kettles'], 'code', 'kettle = Kettle()'],
    [['Kettles', 'Boiling', 'Said'], 'paragraph', 'It takes a while.'],
    [['Kettles', 'Boiling'], 'paragraph', 'And so it does.'],
  ]);
});

test('a heading in an admonition heads no other cell, and closes no heading above it', () => {
  const text = notebookOf(
    markdown('# Kettles\n', '\n', '## Boiling'),
    markdown('```{note}\n', '# Said\n', '\n', 'It takes a while.\n', '```\n', '\n', 'And so it does.'),
    code('kettle = Kettle()'),
  );
  expect(parseNotebook(text, options()).title).toBe('Kettles');
  expect(passagesOf(text).slice(-3)).toEqual([
    [['Kettles', 'Boiling', 'Said'], 'paragraph', 'It takes a while.'],
    [['Kettles', 'Boiling'], 'paragraph', 'And so it does.'],
    [['Kettles', 'Boiling'], 'code', 'kettle = Kettle()'],
  ]);
});

test('a passage is an exact slice of the notebook, with its line numbers there', () => {
  const text = notebookOf(code('import kettle\n', 'kettle.boil(now)'));
  const [passage] = parseNotebook(text, options()).passages;
  expect(passage && text.slice(passage.start, passage.end)).toBe('import kettle\\n",\n    "kettle.boil(now)');
  expect(text.split('\n')[(passage?.startLine ?? 0) - 1]).toContain('import kettle');
  expect(text.split('\n')[(passage?.endLine ?? 0) - 1]).toContain('kettle.boil(now)');
});

test('a source may be one string, and escapes are the characters that they name', () => {
  const text = '{"nbformat":4,"cells":[{"source":"caf\\u00e9 \\"au lait\\"\\nand tea","cell_type":"raw"}]}';
  expect(passagesOf(text)).toEqual([[[], 'code', 'café "au lait"\nand tea']]);
});

test('without a heading of the first level, the name of the file is the title', () => {
  const text = notebookOf(markdown('## Boiling\n', 'It takes a while.'));
  const { title, passages } = parseNotebook(text, options({ fallbackTitle: 'kettles' }));
  expect([title, passages[0]?.breadcrumb]).toEqual(['kettles', ['kettles', 'Boiling']]);
});

test('a heading that nothing follows is a passage of its own', () => {
  expect(passagesOf(notebookOf(markdown('# What comes at last')))).toEqual([[[], 'title', 'What comes at last']]);
});

test.each([['{"cells": {}}'], ['[1, 2, 3, "go"]'], ['# No JSON at all']])(
  '%s is cut at lines, with a warning',
  (text) => {
    const { passages, warnings } = parseNotebook(text, options());
    expect(passages.map(({ start, end }) => text.slice(start, end))).toEqual([text]);
    expect(warnings).toEqual([
      'This is no notebook of format 4, which is JSON with a list of cells: it was cut at lines.',
    ]);
  },
);

test('a passage is shown as lines of text, with the place of each character', () => {
  const source = 'import kettle\\n",\n    "kettle.boil(\\"now\\")';
  expect(showNotebook(source)).toBe('import kettle\nkettle.boil("now")');
  const seen = seeNotebook(source);
  const quote = seen?.text.indexOf('"') ?? -1;
  expect(seen && source.slice(seen.starts[quote], seen.ends[quote])).toBe('\\"');
});

test.each([
  [
    'lists of strings',
    notebookOf(markdown('One\n', '"two"'), { ...code(), source: [] }, code('three()'), code('four()')),
  ],
  [
    'single strings',
    '{"cells":[{"source":"One\\n\\"two\\"","outputs":["a"]},{"source":"three()"},{"source":"four()"}]}',
  ],
])('passages of several cells, whose sources are %s, are shown without what is between them', (_, text) => {
  const { passages } = parseNotebook(text, options());
  const part = text.slice(passages[0]?.start, passages.at(-1)?.end);
  expect(showNotebook(part)).toBe('One\n"two"\n\nthree()\n\nfour()');
});

test('an escape is read as its character, however long the text before it is', () => {
  for (let length = 994; length <= 1_001; length++) {
    expect(seeNotebook(`${'a'.repeat(length)}caf\\u00e9`)?.text.slice(length)).toBe('café');
  }
});

const sources = fc.array(
  fc.constantFrom(
    '# One\n',
    '## Two\n',
    'some words\n',
    '- item\n',
    '```\n',
    '> quote\n',
    '\n',
    '"\\',
    '😀',
    '\t',
    '{',
  ),
  { maxLength: 12 },
);

test('any cells give passages within the notebook, in order, that the model can read', () => {
  const cell = fc.tuple(fc.constantFrom(markdown, code), sources).map(([make, source]) => make(...source));
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 5 }), fc.constantFrom(4, 20, 192), (cells, budget) => {
      const text = notebookOf(...cells);
      const given = options({ budget });
      expect(cutViolations(text, parseNotebook(text, given), given)).toEqual([]);
    }),
  );
});
