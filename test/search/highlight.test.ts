import { expect, test } from 'vitest';
import { shownText } from 'waymark';
import { recordingEmbedder } from '../support/embedder.js';
import { engineOf } from '../support/engine.js';

async function highlighted(query: string, text: string): Promise<string | undefined> {
  const engine = await engineOf();
  const found = await engine.highlight(query, text);
  return found && text.slice(found.start, found.end);
}

test('the sentence nearest to the query is highlighted', async () => {
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

test('the only sentence of an opening fence is the title of its code', async () => {
  expect(await highlighted('js meta apples', '```js meta="apples js meta apples"\nconst pears = 1;\n```\n')).toBe(
    'const pears = 1;',
  );
  expect(await highlighted('red apples', '```js title="src/red/apples.js" {1}\nconst pears = 1;\n```\n')).toBe(
    'src/red/apples.js',
  );
});

test('a text without a sentence has no highlight', async () => {
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

test('if a text has too many sentences to embed all, those with words of the query are embedded', async () => {
  const text = `${'Pears are green. '.repeat(60)}The apples are red. ${'Plums are blue. '.repeat(60)}`;
  expect(await highlighted('apples red', text)).toBe('The apples are red.');
});

test('of sentences that are equally near to the query, the first is highlighted', async () => {
  const engine = await engineOf();
  const text = 'Pears are green. The apples are red. Plums are blue. The apples are red.';
  expect(await engine.highlight('the apples are red', text)).toEqual({ start: 17, end: 36 });
});

test('of a text, at most 32 sentences are embedded, and of a sentence at most 500 characters', async () => {
  const { embedder, embedded } = recordingEmbedder();
  const engine = await engineOf({ model: embedder });
  await engine.highlight('oil', Array.from({ length: 33 }, (_, i) => `Oil the pump ${i} now.`).join(' '));
  expect(embedded).toEqual(Array.from({ length: 32 }, (_, i) => `Oil the pump ${i} now.`));
  embedded.length = 0;
  const long = `Oil the pump ${'x'.repeat(486)}`;
  await engine.highlight('oil', `${long}😀 now. Oil the pump.`);
  expect(embedded).toEqual([`${long}\ufffd`, 'Oil the pump.']);
});

test('the sentence is in the match, however long the text before it is', async () => {
  const engine = await engineOf();
  const sections = ['Pears', 'Plums', 'Figs', 'Limes', 'Dates', 'Kiwis', 'Apples', 'Nuts'].map(
    (fruit) => `## ${fruit}\n\nWe grow ${fruit}. ${`They are good to eat at any time of the day. `.repeat(25)}`,
  );
  await engine.indexFile('a.md', sections.join('\n\n'));
  const request = { query: 'we grow apples', limit: 1, contextDepth: 10, highlight: true };
  const [found] = (await engine.searchFiles(request)).passages;
  const { start, end } = found?.meta.highlight ?? { start: 0, end: 0 };
  expect(found?.content.slice(start, end)).toBe('We grow Apples.');
});

test('the sentence is in the match, however long its line is', async () => {
  const engine = await engineOf();
  const others = 'They are good to eat at any time of the day. ';
  const line = `${others.repeat(12)}We grow sweet apples. ${others.repeat(100)}`;
  await engine.indexFile('a.md', `## Pears\n\n${others.repeat(46)}\n\n## Apples\n\n${line}`);
  const request = { query: 'we grow sweet apples', limit: 1, contextDepth: 10, highlight: true };
  const [found] = (await engine.searchFiles(request)).passages;
  const { start, end } = found?.meta.highlight ?? { start: 0, end: 0 };
  expect(found?.content.slice(start, end)).toBe('We grow sweet apples.');
});

test('the sentence is in the best match of a consolidated file, however long the text before it is', async () => {
  const engine = await engineOf();
  const fruits = ['Pears', 'Plums', 'Figs', 'Limes', 'Dates', 'Kiwis', 'Nuts', 'Grapes'];
  const sections = fruits.map(
    (fruit) =>
      `## ${fruit}\n\nSweet apples and ${fruit}. ${'They are good to eat at any time of the day. '.repeat(14)}`,
  );
  await engine.indexFile('a.md', [...sections, '## Apples\n\nWe grow sweet apples. We sell them.'].join('\n\n'));
  const request = { query: 'we grow sweet apples', contextDepth: 10, consolidate: true, highlight: true };
  const [found] = (await engine.searchFiles(request)).passages;
  expect(found?.content.indexOf('We grow')).toBeGreaterThan(4_000);
  const { start, end } = found?.meta.highlight ?? { start: 0, end: 0 };
  expect(found?.content.slice(start, end)).toBe('We grow sweet apples.');
});

test('the sentence is in the best match of a consolidated file, however long the text around it is', async () => {
  const engine = await engineOf();
  const fruits = ['Pears', 'Plums', 'Figs', 'Limes', 'Dates', 'Kiwis', 'Nuts', 'Grapes'];
  const sections = fruits.map(
    (fruit) =>
      `## ${fruit}\n\nSweet apples and ${fruit}. ${'They are good to eat at any time of the day. '.repeat(14)}`,
  );
  const best = '## Apples\n\nWe grow sweet apples. We sell them.';
  await engine.indexFile('a.md', [...sections, best, ...sections, ...sections].join('\n\n'));
  await engine.indexFile('b.md', 'We grow sweet apples.');
  const request = { query: 'we grow sweet apples', contextDepth: 10, consolidate: true, highlight: true };
  const { passages } = await engine.searchFiles(request);
  expect(passages.map(({ file }) => file.key)).toEqual(['b.md', 'a.md']);
  const found = passages[1];
  expect(found?.content.indexOf('We grow')).toBeGreaterThan(4_000);
  const { start, end } = found?.meta.highlight ?? { start: 0, end: 0 };
  expect(found?.content.slice(start, end)).toBe('We grow sweet apples.');
});

test('the breadcrumb in front of the content is never the highlight', async () => {
  const engine = await engineOf();
  await engine.indexFile('a.md', '# Fruit\n\n## Red and sweet apples\n\nPears are green. Apples may also be red.');
  const request = { query: 'fruit red and sweet apples', includeBreadcrumb: true, highlight: true };
  const [found] = (await engine.searchFiles(request)).passages;
  const { start, end } = found?.meta.highlight ?? { start: 0, end: 0 };
  expect(found?.content).toMatch(/^Fruit > Red and sweet apples\n\n/);
  expect(found?.content.slice(start, end)).toBe('Apples may also be red.');
});

test('an answer compares a limited number of sentences, the same number from each passage', async () => {
  const { embedder, embedded } = recordingEmbedder();
  const engine = await engineOf({ model: embedder });
  for (let i = 0; i < 50; i++) await engine.indexFile(`${i}.md`, 'Oil the pump now. '.repeat(30));
  embedded.length = 0;
  await engine.searchFiles({ query: 'oil', limit: 50, highlight: true });
  expect(embedded.filter((text) => text === 'Oil the pump now.')).toHaveLength(50 * 6);
});

test.each([
  [
    'a notebook',
    'application/x-ipynb+json',
    'A \\"plum\\" is blue.\\n",\n "The \\"apples\\" are red.',
    'The "apples" are red.',
  ],
  ['HTML', 'text/html', '<p>Plums are &lt;b>blue.</p><p>The &lt;apples> are red.</p>', 'The <apples> are red.'],
  ['CSV', 'text/csv', 'plums,are blue\n"the ""apples""",are red\n', 'the "apples" | are red'],
  ['markdown', 'text/markdown', 'Plums are *blue*. The `<apples>` are red.', 'The `<apples>` are red.'],
])('what is shown of %s is not read as its markup again', async (_, contentType, content, sentence) => {
  const engine = await engineOf();
  const text = await shownText(content, { contentType });
  const found = await engine.highlight('the apples are red', text, { contentType, isShown: true });
  expect(found && text.slice(found.start, found.end)).toBe(sentence);
});
