import { expect, test } from 'vitest';
import parseMarkdown from '#src/formats/markdown/parse-markdown.js';
import { options } from './counting.js';

/** The passages as they are shown. */
function shown(text: string, budget: number): string[] {
  return parseMarkdown(text, options({ budget })).passages.map(
    ({ start, end, opening = '', closing = '' }) => opening + text.slice(start, end) + closing,
  );
}

test('the parts of fenced code are shown with both fences', () => {
  expect(shown('~~~js title="a"\na b\nc d\ne f\n~~~', 3)).toEqual([
    '~~~js title="a"\na b\n~~~',
    '~~~js title="a"\nc d\n~~~',
    '~~~js title="a"\ne f\n~~~',
  ]);
});

test('fenced code without a closing fence is shown with one', () => {
  expect(shown('one\n\n```\na b', 100)).toEqual(['one\n\n```\na b\n```']);
});

test('in quotes and lists, fences have the markers and indentation of their block', () => {
  const quote = '> ```\n> a b c d\n> e f g h\n> ```';
  expect(shown(quote, 5)).toEqual(['> ```\n> a b c d\n> ```', '> ```\n> e f g h\n> ```']);
  const item = '- ```\n  a b c d\n  e f g h\n  ```';
  expect(shown(item, 5)).toEqual(['- ```\n  a b c d\n  ```', '  ```\n  e f g h\n  ```']);
});

test('later rows of a table are shown below its header', () => {
  expect(shown('| h |\n| - |\n| a b |\n| c d |', 3)).toEqual(['| h |\n| - |\n| a b |', '| h |\n| - |\n| c d |']);
});

test('whole blocks and indented code are shown as they are', () => {
  const text = 'a b\n\n```\nc d\n```\n\n    e f\n    g h';
  expect(shown(text, 4)).toEqual(['a b\n\n```\nc d\n```', '    e f\n    g h']);
});
