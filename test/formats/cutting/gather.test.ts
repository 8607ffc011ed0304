import { expect, test } from 'vitest';
import parseMarkdown from '#src/formats/markdown/parse-markdown.js';
import { contents, countWords, embedded, options } from '../markdown/counting.js';

/** The subtypes of a file's passages. */
function subtypes(text: string): string[] {
  return parseMarkdown(text, options()).passages.map(({ subtype }) => subtype);
}

test.each([
  ['text', 'paragraph'],
  ['> text', 'blockquote'],
  ['- a\n- b', 'list'],
  ['1. a', 'list'],
  ['| a |\n| - |', 'table'],
  ['```\na\n```', 'code'],
  ['    a', 'code'],
  ['![a](b.png)', 'image'],
  ['![a](b.png)![c][r]\n\n[r]: d', 'image'],
  ['![a](b.png) and text', 'paragraph'],
  ['<div>a</div>', 'paragraph'],
  ['[^1]: note', 'paragraph'],
  ['# A', 'title'],
  ['A\n===', 'title'],
  ['## A', 'subtitle'],
  ['###### A', 'subtitle'],
])('%j is of subtype %s', (text, subtype) => {
  expect(subtypes(text)[0]).toBe(subtype);
});

test('a paragraph of only images is an image', () => {
  expect(subtypes('![a](b.png) ![c](d.png)\n![e](f.png)')).toEqual(['image']);
});

test('the subtype is that of the block that covers most of the passage', () => {
  expect(subtypes('text\n\n```\na long line of code\n```\n')).toEqual(['code']);
  expect(subtypes('a long line of text to begin with\n\n- a\n')).toEqual(['paragraph']);
  expect(subtypes('- one\n\ntext of more\n\n* two, no three\n')).toEqual(['list']);
});

test('an item of a list that contains headings is a list', () => {
  expect(subtypes('- # A\n\n  a\n- b\n')).toEqual(['paragraph', 'list']);
});

test('an embedded breadcrumb takes at most a third of the limit: the outermost headings are dropped', () => {
  const text = '# one two three\n\n## four five\n\n### six seven\n\nbody';
  const embedded = (maxTokens: number) => parseMarkdown(text, options({ maxTokens })).passages.at(-1);
  expect(embedded(100)?.text).toBe('one two three > four five > six seven\nbody');
  expect(embedded(24)?.text).toBe('four five > six seven\nbody');
  expect(embedded(15)?.text).toBe('six seven\nbody');
  expect(embedded(9)?.text).toBe('six\nbody');
  expect(embedded(9)?.breadcrumb).toEqual(['one two three', 'four five', 'six seven']);
});

test('a heading longer than the limit is a breadcrumb in full, and embedded as far as it fits', () => {
  const heading = Array.from({ length: 200 }, (_, i) => `w${i}`).join(' ');
  const [passage] = parseMarkdown(`# ${heading}\n\nbody`, options({ maxTokens: 30 })).passages;
  expect(passage?.breadcrumb).toEqual([heading]);
  expect(passage?.text).toBe('w0 w1 w2 w3 w4 w5 w6 w7\nbody');
});

test('a heading of one word longer than the limit is not embedded', () => {
  const countTokens = (text: string) => text.length + 2;
  const [passage] = parseMarkdown(`# ${'x'.repeat(99)}\n\nbody`, options({ maxTokens: 30, countTokens })).passages;
  expect(passage?.text).toBe('body');
});

test('no embedded text is over the limit even if the tokens of its parts do not add up', () => {
  const countTokens = (text: string) => countWords(text) + text.split('\n').length - 1;
  const text = `# A\n\n${'word\n\n'.repeat(100)}`;
  const { passages } = parseMarkdown(text, { budget: 60, embedBreadcrumb: true, maxTokens: 80, countTokens });
  expect(passages.map((passage) => countTokens(passage.text))).toEqual([79, 79, 51]);
});

test('definitions, comments and breaks form no passages, however many there are', () => {
  const lines = Array.from({ length: 200 }, (_, i) => `[r${i}]: http://a.b/c/d/${i}?e=f&g=h`).join('\n');
  for (const text of [lines, `<!--\n${lines}\n-->`, '***\n'.repeat(300)]) {
    expect(embedded(`one two three\n\n${text}`, { maxTokens: 120 })).toEqual(['one two three']);
  }
});

test('definitions end the passage above them if they are few', () => {
  expect(contents('see [one]\n\n[one]: http://a.b')).toEqual(['see [one]\n\n[one]: http://a.b']);
});

test('a budget over the limit is the limit', () => {
  const { passages } = parseMarkdown('word '.repeat(100), options({ budget: 1000, maxTokens: 23 }));
  expect(passages.map((passage) => countWords(passage.text))).toEqual([22, 22, 22, 22, 22]);
});
