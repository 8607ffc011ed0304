import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import parseMarkdown from '#src/formats/markdown/parse-markdown.js';
import { countWords, options, outline } from './counting.js';

const WARNING = 'The markdown must have at most 100 levels of nesting: it was cut at lines, without headings.';

const indentedLists = (levels: number) => Array.from({ length: levels }, (_, i) => `${'  '.repeat(i)}- a`).join('\n');

const emphases = (levels: number) => `${'*a '.repeat(levels)}b${' a*'.repeat(levels)}`;

test.each([
  ['quotes', `${'>'.repeat(10_000)} a\n\nb`],
  ['lists', `${'- '.repeat(10_000)}a\n\nb`],
  ['numbered lists', `${'1. '.repeat(10_000)}a\n\nb`],
  ['footnotes', `${'[^a]: '.repeat(10_000)}a\n\nb`],
  ['lists on separate lines', indentedLists(200)],
  ['quotes in lists', indentedLists(200).replaceAll('a', '> a')],
])('%s nested too deeply are cut at lines, with a warning', (_, text) => {
  const file = parseMarkdown(`\uFEFF# A\n\n${text}\n`, options());
  expect(file.warnings).toEqual([WARNING]);
  expect(file.title).toBeUndefined();
  expect(file.passages[0]).toMatchObject({ start: 1, startLine: 1, breadcrumb: [], subtype: 'paragraph' });
  expect(
    file.passages
      .map(({ start, end }) => `\uFEFF# A\n\n${text}\n`.slice(start, end))
      .join('')
      .replace(/\s/g, ''),
  ).toBe(`# A${text}`.replace(/\s/g, ''));
  expect(file.passages.every((passage) => countWords(passage.text) <= 300)).toBe(true);
});

test.each<[what: string, text: (levels: number) => string]>([
  ['quotes', (levels) => `${'> '.repeat(levels)}a`],
  ['lists on one line', (levels) => `${'- '.repeat(levels)}a`],
  ['lists on separate lines', indentedLists],
  ['tabs', (levels) => indentedLists(levels).replaceAll('  ', '\t')],
  ['footnotes', (levels) => `${'[^a]: '.repeat(levels)}a`],
  ['emphases', emphases],
])('100 levels of %s are parsed, 101 are not', (_, text) => {
  expect(parseMarkdown(text(100), options()).warnings).toEqual([]);
  expect(parseMarkdown(text(101), options()).warnings).toEqual([WARNING]);
});

test('nesting deeper than people write is parsed', () => {
  expect(outline(`${'> '.repeat(50)}# A\n\nb`)).toEqual([`: ${'> '.repeat(50)}# A`, ': b']);
});

test.each([
  ['a thematic break of many marks', `# A\n\n${'- '.repeat(200)}\n\nb`],
  ['consecutive items', `# A\n\n${'- a\n'.repeat(200)}\nb`],
  ['items of falling and rising indentation', `# A\n\n${'- a\n  - b\n    - c\n'.repeat(200)}\nb`],
  ['list markers in a row', `# A\n\n${'+-*'.repeat(200)}\n\nb`],
  ['numbers', `# A\n\n${'1.'.repeat(200)}\n\nb`],
])('not counted as nesting: %s', (_, text) => {
  expect(parseMarkdown(text, options())).toMatchObject({ title: 'A', warnings: [] });
});

test.each<[what: string, text: string]>([
  ['quotes', `${'> '.repeat(100)}a`],
  ['footnotes', `${'[^a]: '.repeat(100)}a`],
  ['emphases', emphases(1_000)],
  ['images', `${'!['.repeat(1_000)}a${'](x)'.repeat(1_000)}`],
  ['flow lists of YAML', `---\na: ${'['.repeat(20_000)}\n---\nb`],
  ['mappings of YAML', `---\na: ${'{b: '.repeat(10_000)}\n---\nb`],
  ['keys of YAML', `---\n${'? '.repeat(10_000)}\n---\nb`],
  ['arrays of TOML', `+++\na = ${'['.repeat(20_000)}\n+++\nb`],
  ['tables of TOML', `+++\na = ${'{b = '.repeat(10_000)}\n+++\nb`],
  ['names of TOML', `+++\n${'a.'.repeat(20_000)}b = 1\n+++\nb`],
])('%s are read with a quarter of the stack of a thread', async (_, text) => {
  const worker = new Worker(
    `const { parentPort, workerData: { module, text } } = require('node:worker_threads');
    import(module).then(({ default: parse }) => {
      const countTokens = (words) => words.split(' ').length;
      const options = { budget: 300, maxTokens: 300, embedBreadcrumb: false, countTokens };
      parentPort.postMessage(parse(text, options).warnings);
    });`,
    {
      eval: true,
      workerData: {
        module: new URL('../../../dist/formats/markdown/parse-markdown.js', import.meta.url).href,
        text,
      },
      resourceLimits: { stackSizeMb: 1 },
    },
  );
  const [warnings] = await once(worker, 'message');
  await worker.terminate();
  expect(warnings.join(' ')).not.toContain('call stack');
});
