import { expect, test } from 'vitest';
import { contents, embedded } from '../markdown/counting.js';

test('blocks of a section are gathered up to the budget', () => {
  expect(contents('a b\n\nc d\n\ne f\n\ng h\n', { budget: 4 })).toEqual(['a b\n\nc d', 'e f\n\ng h']);
});

test('blocks of two sections are never gathered', () => {
  expect(contents('# A\n\na\n\n# B\n\nb')).toEqual(['a', 'b']);
});

test('fenced code stays whole if it fits', () => {
  expect(contents('a b\n\n```\nc\nd\ne\n```\n\nf', { budget: 3 })).toEqual(['a b', '```\nc\nd\ne\n```', 'f']);
});

test('fenced code that does not fit is cut at lines', () => {
  expect(contents('```sh\na b\nc d\n\ne f\ng h\n```\n', { budget: 4 })).toEqual(['```sh\na b\nc d', 'e f\ng h\n```']);
});

test('an opening fence is never a passage of its own, nor the end of the passage before its code', () => {
  expect(contents('a b\n\n```sh\nc d e\nf g h\n```\n\ni j k\n', { budget: 3 })).toEqual([
    'a b',
    '```sh\nc d e',
    'f g h\n```',
    'i j k',
  ]);
});

test('indented code keeps its indentation, and is cut at lines', () => {
  expect(contents('    a b\n      c d\n\n    e f\n    g h\n', { budget: 4 })).toEqual([
    '    a b\n      c d',
    '    e f\n    g h',
  ]);
});

test('a list stays whole if it fits', () => {
  expect(contents('a.\n\n- c\n- d\n  - e\n\nf', { budget: 3 })).toEqual(['a.', '- c\n- d\n  - e', 'f']);
});

test('a list that does not fit is cut at items', () => {
  expect(contents('1. a b\n2. c d\n\n3. e f\n4. g h\n', { budget: 4 })).toEqual(['1. a b\n2. c d', '3. e f\n4. g h']);
});

test('an item that does not fit is cut at its blocks, and its nested list at items', () => {
  expect(contents('- a b\n\n  c.\n\n  - e f\n  - g h\n- i j\n', { budget: 4 })).toEqual([
    '- a b\n\n  c.',
    '  - e f\n  - g h',
    '- i j',
  ]);
});

test('a blockquote that does not fit is cut at its blocks, with their markers', () => {
  expect(contents('> a b\n>\n> c d\n>\n> - e f\n> - g h\n', { budget: 4 })).toEqual([
    '> a b\n>\n> c d\n>',
    '> - e f\n> - g h',
  ]);
});

const table = '| k | v |\n| - | - |\n| a | b |\n| c | d |\n| e | f |\n| g | h |\n| i | j |\n| k | l |\n';

test('a table stays whole if it fits', () => {
  expect(contents(`x.\n\n${table}`, { budget: 21 })).toEqual(['x.', table.trim()]);
});

test('a table that does not fit is cut at rows, and its header row is embedded with each part', () => {
  const budget = 12; // A row is three tokens: the header, a quarter of that.
  expect(contents(table, { budget })).toEqual([
    '| k | v |\n| - | - |\n| a | b |\n| c | d |\n| e | f |',
    '| g | h |\n| i | j |\n| k | l |',
  ]);
  expect(embedded(`# T\n\n${table}`, { budget })).toEqual([
    'T\nk | v\na | b\nc | d\ne | f',
    'T\nk | v\ng | h\ni | j\nk | l',
  ]);
});

test('a header row over a quarter of the budget is not repeated', () => {
  expect(embedded(table, { budget: 9 })).toEqual(['k | v\na | b\nc | d', 'e | f\ng | h\ni | j', 'k | l']);
});

test('a row that does not fit is cut at words, and the header row is embedded with each part', () => {
  expect(embedded('| k |\n| - |\n| a b c d e f |\n', { budget: 4 })).toEqual(['k\na b c', 'k\nd e f']);
});

test('a table in a blockquote is cut at rows', () => {
  expect(contents(`- x\n\n  > ${table.trim().replace(/\n/g, '\n  > ')}\n`, { budget: 12 })).toEqual([
    '- x\n\n  > | k | v |\n  > | - | - |\n  > | a | b |\n  > | c | d |',
    '  > | e | f |\n  > | g | h |\n  > | i | j |',
    '  > | k | l |',
  ]);
});

test('a paragraph that does not fit is cut at sentences', () => {
  expect(contents('One two. Three\nfour! Five six? Seven', { budget: 6 })).toEqual([
    'One two. Three\nfour!',
    'Five six? Seven',
  ]);
});

test('a sentence that does not fit is cut at words', () => {
  expect(contents('one two three four five', { budget: 2 })).toEqual(['one two', 'three four', 'five']);
});

test('a sentence of several lines that does not fit is cut at lines', () => {
  expect(contents('|-|-|\n| a b | c d |\n| e f | g h |', { budget: 12 })).toEqual([
    '|-|-|\n| a b | c d |',
    '| e f | g h |',
  ]);
});

test('a sentence that does not fit is cut around its code, not inside of it', () => {
  expect(contents('one `two three` four `five` six', { budget: 2 })).toEqual([
    'one',
    '`two three`',
    'four `five`',
    'six',
  ]);
});

test('the exclamation mark of an image and a question mark in an address end no sentence', () => {
  expect(contents('![One two](a.png)\n![three four](b.png)', { budget: 3 })).toEqual([
    '![One two](a.png)',
    '![three four](b.png)',
  ]);
  expect(contents('[One two](a.md?b=c) three. Four five six.', { budget: 4 })).toEqual([
    '[One two](a.md?b=c) three.',
    'Four five six.',
  ]);
});

test('a link of a few words is not cut, nor is one around an image', () => {
  expect(contents('[@one](a.md) | [@two](b.md)', { budget: 3 })).toEqual(['[@one](a.md) |', '[@two](b.md)']);
  expect(contents('[![one two](a.png)](a.md) [![three four](b.png) five](b.md)', { budget: 4 })).toEqual([
    '[![one two](a.png)](a.md)',
    '[![three four](b.png) five](b.md)',
  ]);
});

test('a Chinese sentence that does not fit is cut at words, a Chinese paragraph at sentences', () => {
  expect(contents('我们学习。他们工作。', { budget: 5 })).toEqual(['我们学习。', '他们工作。']);
  expect(contents('我们学习', { budget: 2 })).toEqual(['我们', '学习']);
});

test('a line of code that does not fit is cut at words', () => {
  expect(contents('```\na b c d\n```', { budget: 2 })).toEqual(['```\na b', 'c d\n```']);
});

test('a word that does not fit is cut at graphemes', () => {
  const family = '👩‍👩‍👧';
  expect(contents(family.repeat(5), { budget: 10 })).toEqual([family.repeat(2), family.repeat(2), family]);
  const halves = (text: string) => Math.ceil(text.length / 2);
  expect(contents('e\u0301'.repeat(3), { budget: 1, countTokens: halves })).toEqual(Array(3).fill('e\u0301'));
});

test('a letter with more combining marks than fit is cut at code points', () => {
  const zalgo = `a${'\u0301\u{1D165}'.repeat(300)}`;
  const parts = contents(zalgo, { budget: 10, maxTokens: 30 });
  expect(parts.join('')).toBe(zalgo);
  expect(parts.every((part) => part.isWellFormed() && part.length <= 100)).toBe(true);
});

test('a word of 5,000 characters is cut even if it is one token', () => {
  const word = 'x'.repeat(5000);
  const parts = contents(word, { budget: 100 });
  expect(parts.join('')).toBe(word);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(1000);
});

test('a heading that does not fit is cut at words', () => {
  expect(contents('# one two three four\n', { budget: 2 })).toEqual(['# one two', 'three four']);
});

test('HTML that does not fit is cut at lines', () => {
  expect(contents('<p>\na b\nc d\n</p>\n', { budget: 2 })).toEqual(['<p>\na b', 'c d\n</p>']);
});

test('a sentence is not cut inside of code or a formula that fits', () => {
  const text = 'One two. Three `four? Five six.` seven. Eight $x. Y = z.$ nine.';
  expect(contents(text, { budget: 9 })).toEqual([
    'One two.',
    'Three `four? Five six.` seven.',
    'Eight $x. Y = z.$ nine.',
  ]);
});

test('the header of a table is never separated from its first row', () => {
  const rows = '| k |\n| - |\n| a b c |\n| d e f |\n| g h i |\n';
  expect(contents(`x y.\n\n${rows}`, { budget: 5 })).toEqual([
    'x y.',
    '| k |\n| - |\n| a b c |',
    '| d e f |',
    '| g h i |',
  ]);
});

test.each([
  ['words', 'Tea for '],
  ['no blanks', 'Tea'],
])('a long line of HTML with %s is cut between its tags, not within them', (_, text) => {
  const cells = Array.from({ length: 20 }, (_, i) => `<td><a href="../.. /a b ${i}.md">${text}${i}</a></td>`);
  const slices = contents(`<table><tr>${cells.join('')}</tr></table>`, { budget: 30 });
  expect(slices.length).toBeGreaterThan(2);
  expect(slices.filter((slice) => /^[^<]*>|<[^>]*$/.test(slice))).toEqual([]);
});
