import { expect, test } from 'vitest';
import { engineOf } from '../support/engine.js';

async function highlighted(query: string, text: string): Promise<string | undefined> {
  const engine = await engineOf();
  const found = await engine.highlight(query, text);
  return found && text.slice(found.start, found.end);
}

test('the sentence nearest to the query is brought out', async () => {
  const text = 'Pears are green. The apples are red and sweet. Plums are blue.';
  expect(await highlighted('apples red', text)).toBe('The apples are red and sweet.');
});

test('a sentence may run over lines, with any line ends', async () => {
  expect(await highlighted('apples red', 'Pears are green. The apples\r\nare red. Plums are blue.')).toBe(
    'The apples\r\nare red.',
  );
});

test('an item, a row and a line of code are sentences of their own', async () => {
  expect(await highlighted('apples red', '- pears are green\n- apples are red\n- plums are blue\n')).toBe(
    'apples are red',
  );
  expect(await highlighted('apples red', '| pears | are | green |\n| apples | are | red |\n')).toBe(
    'apples | are | red',
  );
  expect(await highlighted('apples red', '```js\nconst pears = green + 1;\nconst apples = red + 1;\n```\n')).toBe(
    'const apples = red + 1;',
  );
});

test('a fence is no sentence', async () => {
  expect(await highlighted('js title apples', '```js title="apples.js title js apples"\nconst pears = 1;\n```\n')).toBe(
    'const pears = 1;',
  );
});

test('a text without a sentence has none to bring out', async () => {
  for (const text of ['', '\n', 'two words', '---', '```\n```'])
    expect(await highlighted('two words', text)).toBeUndefined();
});

test('a sentence is found in the beginning of a text of any length', async () => {
  for (const rest of [
    'Pears are green. '.repeat(50_000),
    'กา'.repeat(200_000),
    '\n'.repeat(200_000),
    ';\r\n'.repeat(50_000),
  ])
    expect(await highlighted('apples red', `Apples are red. Pears are green. ${rest}`)).toBe('Apples are red.');
});

test('a sentence of a script without spaces is a sentence', async () => {
  expect(await highlighted('苹果又红又甜', '梨是绿色的。苹果又红又甜。李子是蓝色的。')).toBe('苹果又红又甜。');
  expect(await highlighted('りんごは赤くて甘いです', '梨は緑です。りんごは赤くて甘いです。')).toBe(
    'りんごは赤くて甘いです。',
  );
});
