import { expect, test } from 'vitest';
import { contents } from '../markdown/counting.js';

test('a sentence that ends in a colon stays with the code that it introduces', () => {
  expect(contents('One two three four. To install it:\n\n```\nnpm install it\n```', { budget: 7 })).toEqual([
    'One two three four.',
    'To install it:\n\n```\nnpm install it\n```',
  ]);
});

test('a sentence that ends in a colon stays with the first items of a list that is too long', () => {
  expect(contents('a b c d e f\n\nBut:\n\n- g h i\n- j k l\n- m n o\n- p q r\n- s t u', { budget: 8 })).toEqual([
    'a b c d e f',
    'But:\n\n- g h i\n- j k l',
    '- m n o\n- p q r',
    '- s t u',
  ]);
});

test('a sentence and its block may exceed the budget together by half, and are separated beyond that', () => {
  const code = '```\nd e f g h i\n```';
  expect(contents(`a b c\n\nBut all of this:\n\n${code}`, { budget: 8 })).toEqual([
    'a b c',
    `But all of this:\n\n${code}`,
  ]);
  expect(contents(`a\n\nBut all of this is it:\n\n${code}`, { budget: 8 })).toEqual([
    'a\n\nBut all of this is it:',
    code,
  ]);
});

test('a list stays with its introduction, and its last item with the block that it introduces', () => {
  expect(contents('But:\n\n- a b c\n- d e:\n\n```\nf g h i\n```', { budget: 7 })).toEqual([
    'But:\n\n- a b c',
    '- d e:\n\n```\nf g h i\n```',
  ]);
  expect(contents('But:\n\n- a b c d:\n\n```\nf g h i\n```', { budget: 7 })).toEqual([
    'But:\n\n- a b c d:',
    '```\nf g h i\n```',
  ]);
});

test('the number of an item stays with its first sentence', () => {
  expect(contents('1. Run all:\n\n   ```\n   a b c d e f g h\n   ```\n2. b c d e f g', { budget: 8 })).toEqual([
    '1. Run all:\n\n   ```\n   a b c d e f g h\n   ```',
    '2. b c d e f g',
  ]);
});

test('code that is too long is cut into parts of about the same size', () => {
  const code = Array.from({ length: 10 }, (_, i) => `a${i} b`).join('\n');
  expect(contents(`\`\`\`\n${code}\n\`\`\``, { budget: 12 }).map((part) => part.split('\n').length)).toEqual([6, 6]);
});

test('code is cut at a blank line near the middle', () => {
  expect(contents('```\na b\nc d\ne f\n\ng h\ni j\nk l\nm n\n```', { budget: 8 })).toEqual([
    '```\na b\nc d\ne f',
    'g h\ni j\nk l\nm n\n```',
  ]);
});

test('a block may be a little over the budget, and is cut beyond that', () => {
  expect(contents('```\na b c d\ne f g h\n```', { budget: 7 })).toEqual(['```\na b c d\ne f g h\n```']);
  expect(contents('```\na b c d\ne f g h i\n```', { budget: 7 })).toEqual(['```\na b c d', 'e f g h i\n```']);
});

test('a whole paragraph that ends in a colon stays with its block if both fit', () => {
  expect(contents('a b c d e f g\n\nOne. Take this:\n\n```\nh i j\n```', { budget: 8 })).toEqual([
    'a b c d e f g',
    'One. Take this:\n\n```\nh i j\n```',
  ]);
});

test('a colon introduces a block even if tags that no reader sees follow it', () => {
  expect(
    contents('One two three. Take this: {{< tabs names="first second" >}}\n\n```\na b c\n```', { budget: 7 }),
  ).toEqual(['One two three.', 'Take this: {{< tabs names="first second" >}}\n\n```\na b c\n```']);
});

test.each([
  ['the list of its quote', '> a b c d e f\n>\n', '> But:\n>\n> - a b c\n> - d e f'],
  ['a list in a division', 'a b c d e f\n\n', 'But:\n\n<div>\n\n- a b c\n- d e f\n\n</div>'],
  ['a table in a figure', 'a b c d e f\n\n', 'But:\n\n<figure>\n\n|a|b|\n|-|-|\n|c|d|'],
  ['code after link definitions', 'a b c d e f\n\n', 'But:\n\n[a]: /b\n[c]: /d\n\n```\na b c d e\n```'],
  ['a list below HTML', '<div>\na b c d e f\ng h i\n', 'But:\n</div>\n\n- a b c\n- d e'],
])('a sentence that ends in a colon stays with %s', (_, before, together) => {
  expect(contents(before + together, { budget: 8 }).at(-1)).toBe(together);
});

test('included code stays with the sentence that introduces it, and introduces nothing itself', () => {
  const code = '```\n{{#include a.rs}}\n```';
  expect(contents(`a b c d\n\nBut:\n\n${code}\n\n- e f g h`, { budget: 7 })).toEqual([
    `a b c d\n\nBut:\n\n${code}`,
    '- e f g h',
  ]);
});

test('a text without punctuation at its end stays with the code, table or list after it', () => {
  const code = '```\nd e f g\n```';
  expect(contents(`One two three four. Run it with\n\n${code}`, { budget: 7 })).toEqual([
    'One two three four.',
    `Run it with\n\n${code}`,
  ]);
  expect(contents(`One two three four. Run it now.\n\n${code}`, { budget: 9 })).toEqual([
    'One two three four. Run it now.',
    code,
  ]);
});

test('the title of a tab, a step or a directive stays with what comes next', () => {
  const code = '```\nd e f g\n```';
  for (const [title, budget] of [
    ['<Step title="Take it">', 6],
    ['::: details Take it', 6],
    ['{{% tab header="Take it" %}}', 6],
  ] as const) {
    expect(contents(`One two three four.\n\n${title}\n\n${code}`, { budget })).toEqual([
      'One two three four.',
      `${title}\n\n${code}`,
    ]);
  }
});

test('the title of what can be opened stays with the text in it', () => {
  expect(
    contents('a b c d e f.\n\n<details>\n\n<summary>One</summary>\n\ng h i j k l.\n\n</details>', { budget: 8 }),
  ).toEqual(['a b c d e f.', '<details>\n\n<summary>One</summary>\n\ng h i j k l.\n\n</details>']);
  expect(contents('<p>a b c d e f</p>\n<details><summary>One</summary>\n\ng h i j k l.', { budget: 8 })).toEqual([
    '<p>a b c d e f</p>',
    '<details><summary>One</summary>\n\ng h i j k l.',
  ]);
});

test('a line in bold stays with what comes next unless it is a sentence', () => {
  for (const title of ['**One two (three)**', '__Why one?__']) {
    expect(contents(`a b c d e.\n\n${title}\n\ng h i j k l.`, { budget: 13 })).toEqual([
      'a b c d e.',
      `${title}\n\ng h i j k l.`,
    ]);
  }
  expect(contents('a b c d e.\n\n**One two.**\n\ng h i j k l.', { budget: 15 })).toEqual([
    'a b c d e.\n\n**One two.**',
    'g h i j k l.',
  ]);
});
