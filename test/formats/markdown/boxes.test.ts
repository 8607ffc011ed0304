import { expect, test } from 'vitest';
import { outline } from './counting.js';

test.each([
  ['a directive of MyST', '```{note}\n# In it\n\nFour five six.\n```'],
  ['a container of MyST', ':::{my-example}\n## In it\n\nFour five six.\n:::'],
  ['an admonition', ':::tip\n# In it\n\nFour five six.\n:::'],
  ['a callout of Quarto', '::: {.callout-note}\n## In it\n\nFour five six.\n:::'],
  ['tabs of Quarto', '::: {.panel-tabset}\n## In it\n\nFour five six.\n:::'],
])('a heading in %s heads nothing after it, and is not a title', (_, box) => {
  expect(outline(`# A\n\nOne two three.\n\n${box}\n\nSeven eight nine.\n\n## B\n\nTen eleven twelve.`)).toEqual([
    expect.stringMatching(/^A: One two three\.(?!.*Four)/s),
    expect.stringMatching(/^A > In it: Four five six\./),
    'A: Seven eight nine.',
    'A > B: Ten eleven twelve.',
  ]);
});

test('headings in boxes in boxes are below each other, until their box ends', () => {
  const text = [
    ...['# A', '::::{tab-set}', '## B', 'One two three.', ':::{tab-item} C', '# D', 'Four five six.', ':::'],
    ...['Seven eight nine.', '::::', 'Ten eleven twelve.'],
  ].join('\n\n');
  expect(outline(text).map((passage) => passage.replace(/: .*?(?=One|Four|Seven|Ten)/s, ': '))).toEqual([
    'A > B: One two three.\n\n:::{tab-item} C',
    'A > B > D: Four five six.',
    'A > B: Seven eight nine.',
    'A: Ten eleven twelve.',
  ]);
});

test.each([
  ['that is not closed', ':::{note}'],
  ['of a part of the page', '::: {.content-visible when-format="html"}'],
  ['of a zone', '::: zone pivot="a"'],
])('a heading in a container %s heads what follows', (_, open) => {
  const close = open.includes('note') ? '' : ':::\n\n';
  expect(outline(`# A\n\n${open}\n\n## B\n\nOne two three.\n\n${close}Four five six.`).at(-1)).toMatch(
    /^A > B: One two three\..*Four five six\.$/s,
  );
});

test('the title of a box may have any characters but line ends', () => {
  expect(outline('# A\n\nOne.\n\n:::tip one\u2028two\n\n## B\n\nTwo.\n\n:::\n\nThree four five.').at(-1)).toBe(
    'A: Three four five.',
  );
});

test.each([
  ['a quotation', '> ```{note}\n> One two three.'],
  ['a list item', '1. ```{note}\n   One two three.'],
  ['a list item, between colons', '- :::{note}\n  One two three.'],
])('a box in %s ends with it, even if it is not closed', (_, box) => {
  const text = `# A\n\n${box}\n\n## Install\n\nFour five six.\n\n\`\`\`\n:::\n\`\`\`\n\n:::\n\nAfter after after.`;
  expect(outline(text).at(-1)).toMatch(/^A > Install: .*After after after\.$/s);
});

test('a directive of MyST that is named in a line opens no box', () => {
  const text = '(a)=\n# A\n\n```{note}``` is one.\n\n## B\n\nOne two three.\n\n```\ncode\n```\n\nFour five six.';
  expect(outline(text).at(-1)).toMatch(/^A > B: .*Four five six\.$/s);
});

test.each([
  ':::{div} landing\n# Title\n\nOne two three.\n:::',
  '```{container} landing\n# Title\n\nOne two three.\n```',
])('a directive that only arranges the page is no box: %j', (part) => {
  expect(outline(`(a)=\n${part}\n\nFour five six.`, { fallbackTitle: 'T' }).at(-1)).toMatch(/^Title: .*Four/s);
});

test('outside of MyST, any three colons close a box', () => {
  const text = '# A\n\n::::: {.callout-note}\n## B\n\nOne two three.\n:::\n\nFour five six.';
  expect(outline(text).at(-1)).toBe('A: Four five six.');
});
