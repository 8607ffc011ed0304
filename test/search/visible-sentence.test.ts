import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formats } from '#src/formats/formats.js';
import { engineOf } from '../support/engine.js';

async function highlighted(query: string, text: string, contentType?: string): Promise<string | undefined> {
  const engine = await engineOf();
  const found = await engine.highlight(query, text, { contentType });
  return found && text.slice(found.start, found.end);
}

test.each([
  ['a code span with a question mark', 'Pears are green. The apples `Result?` are `?` red. Plums are blue.'],
  ['.NET', 'Pears are green. The apples of .NET are red. Plums are blue.'],
  ['an abbreviation', 'Pears are green. The apples, e.g. Cox v1.2, are red. Plums are blue.'],
  ['a query string', 'Pears are green. The apples at /list?colour=Red&size=1 are red. Plums are blue.'],
])('%s cuts no sentence', async (_, text) => {
  expect(await highlighted('the apples are red', text)).toMatch(/^The apples.* red\.$/);
});

test('a sentence may begin with a name and go on in a script without spaces', async () => {
  const text = 'Dockerを使う。GitHubの設定を変更する。';
  expect(await highlighted('github の 設定 を 変更 する', text)).toMatch(/。$/);
});

test.each([
  ['a quote', '> Pears are green. The apples\n> are red and\n> sweet.\n', 'The apples\n> are red and\n> sweet.'],
  ['an item', '- Pears are green\n- The apples\n  are red\n  and sweet\n', 'The apples\n  are red\n  and sweet'],
  ['a quoted item', '> 1. Pears rot soon\n> 2. apples\r\n>    are red\n', 'apples\r\n>    are red'],
  ['a paragraph before a heading', 'The apples\nare red\n\n## Plums are blue\n', 'The apples\nare red'],
])('a sentence runs over the lines of %s', async (_, text, sentence) => {
  expect(await highlighted('apples are red', text)).toBe(sentence);
});

test.each([
  ['a comment', '<!-- apples are red -->\n\nPears are green and sweet.'],
  ['an anchor', '<a name="apples-are-red"></a>\n\nPears are green and sweet.'],
  ['a shortcode', '{{% include "apples are red" %}}\n\nPears are green and sweet.'],
  ['an include', '{{#include apples/are/red.md}}\n\nPears are green and sweet.'],
  ['a tag', '<div class="apples are red">\n\nPears are green and sweet.\n\n</div>'],
  ['a definition', '[apples]: https://apples.are/red "apples are red"\n\nPears are green and sweet.'],
  ['front matter', '---\ntitle: apples are red\n---\n\nPears are green and sweet.'],
])('%s is not marked', async (_, text) => {
  expect(await highlighted('apples are red', text)).toBe('Pears are green and sweet.');
});

test('the colon after a name of JSON lines that has no value is not marked', async () => {
  expect(await highlighted('red apples', '{"the red apples":""}\n', 'application/jsonl')).toBe('the red apples');
});

test('text between two thematic breaks is not front matter', async () => {
  expect(await highlighted('apples red', '---\n\nApples are red.\n\n---\n\nPears are green and sweet.')).toBe(
    'Apples are red.',
  );
});

test('an item of a list that begins elsewhere is one sentence, without its mark', async () => {
  expect(await highlighted('apples red', '    * The **apples**\n      are red\n    * Pears are green\n')).toBe(
    'The **apples**\n      are red',
  );
});

test('the words in the target of a link do not count, whether it is an address or a reference', async () => {
  const sentence = 'The [apples](https://a.example) are [red][colour].';
  for (const target of ['(https://b.example/the/apples/are/red)', '[the apples are red]']) {
    expect(await highlighted('the apples are red', `A [pear]${target} is green. ${sentence}`)).toBe(sentence);
  }
});

test('a range begins and ends with what is seen, and keeps the markup inside', async () => {
  expect(
    await highlighted('apples red', '**The _apples_** are <!-- or were --> **red**.\n\nPears are green too.'),
  ).toBe('The _apples_** are <!-- or were --> **red**.');
  expect(await highlighted('apples red', '## Apples are **red** {#apples}\n\nPears are green too.')).toBe(
    'Apples are **red',
  );
  expect(await highlighted('apples red', '\uFEFF&quot;Apples are red&quot; \\\n\nPears are green too.')).toBe(
    '&quot;Apples are red&quot; \\',
  );
});

test('the text of HTML can be highlighted, without its tags', async () => {
  expect(await highlighted('apples red', '<p>Pears are green.</p>\n<p>The <b>apples</b> are red</p>\n')).toBe(
    'The <b>apples</b> are red',
  );
  expect(await highlighted('apples red', '<p>Pears are green.</p>\n<img src="x.png" alt="The apples are red">\n')).toBe(
    'The apples are red',
  );
  expect(await highlighted('apples red', '<p>Pears are green\n\nThe apples are red')).toBe('The apples are red');
});

test('in HTML, a backslash is ordinary text', async () => {
  const text = '<p>The apples are in D:\\_red\\*.txt</p>';
  const see = await formats.seeing('text/markdown');
  expect(see?.(text)?.text.trim()).toBe('The apples are in D:\\_red\\*.txt');
});

test('a line of code is one sentence, wherever the code appears', async () => {
  const code = 'const red = apples ? Some.Red : none;';
  expect(await highlighted('apples red', `- Pears are green:\n\n      const pears = 1 + 1;\n      ${code}\n`)).toBe(
    code,
  );
  expect(await highlighted('apples red', `> ~~~\n> const pears = 1 + 1;\n>   ${code}\n> ~~~\n`)).toBe(code);
});

test('the title of code is one sentence, including marks inside it that are not shown', async () => {
  const code = 'const pears = 1 + 1;\n';
  expect(await highlighted('red apples', `- Pears:\n\n  ~~~ts [red/[apples\\\\].a. B.ts]\n  ${code}  ~~~\n`)).toBe(
    'red/[apples\\\\].a. B.ts',
  );
  expect(await highlighted('red apples', `> \`\`\`js title="Red &amp; sweet apples" x\n> ${code}> \`\`\`\n`)).toBe(
    'Red &amp; sweet apples',
  );
});

test('a formula on lines of its own is one sentence', async () => {
  const text = 'Pears and plums are\n$$\nx_1.\n- Y\n$$\nThe apples $a_1. B$ are red.';
  expect(await highlighted('the apples are red', text)).toBe('The apples $a_1. B$ are red.');
});

test('a row of a table is one sentence, even without a header', async () => {
  for (const head of ['| a | b | c |\n|---|---|---|\n', ''])
    expect(
      await highlighted(
        'apples red',
        `${head}| pears | are | green |\n| **apples** | are | red |\n| plums | are | blue |\n`,
      ),
    ).toMatch(/^(\*\*)?apples\*\* \| are \| red$/);
});

test('a text is read as its format: JSX in MDX, everything in plain text', async () => {
  const jsx = 'import Apples from "red";\n\n{/* apples are red */}\n\nPears are green and sweet.';
  expect(await highlighted('apples are red', jsx, 'text/mdx')).toBe('Pears are green and sweet.');
  const plain = 'Pears are green. <!-- Apples are red --> or not.';
  expect(await highlighted('apples are red', plain, 'text/plain; charset=utf-8')).toBe(
    '<!-- Apples are red --> or not.',
  );
});

test('a text too intricate to parse is read as plain text', async () => {
  for (const rest of ['> '.repeat(1500), '- '.repeat(1500), '*a_ '.repeat(900), '['.repeat(3000), 'b\n'.repeat(1500)])
    expect(await highlighted('apples red', `The apples are red. Pears are green.\n\n${rest}`)).toBe(
      'The apples are red.',
    );
});

test('a range is within the text, begins and ends with a visible character, and cuts none in two', async () => {
  const engine = await engineOf();
  const word = fc.constantFrom('apples', 'red', 'Pears', 'v1.2', '😀', '苹果', 'é');
  const mark = fc.constantFrom(
    ...['. ', '? ', ' ', '\n', '\r\n', '\n\n', '\n- ', '\n> ', '\n1. ', '\n## ', '\n    ', '\n```\n', '`', '**', '_'],
    ...[
      '<!-- zzz -->',
      '<i zzz>',
      '{{< zzz >}}',
      '](zzz)',
      '[',
      '![',
      '|',
      '\n|-|-|\n',
      '&amp;',
      '\\*',
      '\u200b',
      '\0',
    ],
  );
  const piece = fc.oneof({ weight: 3, arbitrary: word }, { weight: 2, arbitrary: mark }, fc.string({ unit: 'binary' }));
  const texts = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom(undefined, 'text/mdx', 'text/plain'), async (text, contentType) => {
      const range = await engine.highlight('apples are red', text, { contentType });
      if (!range) return;
      const { start, end } = range;
      const marked = text.slice(start, end);
      expect([0 <= start, start < end, end <= text.length]).toEqual([true, true, true]);
      expect(/^[\s\p{Cc}]|[\s\p{Cc}]$/u.test(marked)).toBe(false);
      const whole = Array.from(text.slice(0, start)).length + Array.from(marked).length;
      expect(whole + Array.from(text.slice(end)).length).toBe(Array.from(text).length);
    }),
  );
});
