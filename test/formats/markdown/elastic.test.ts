import { expect, test } from 'vitest';
import { embedded, outline } from './counting.js';

const page = (text: string) => `---\nmapped_pages:\n  - https://example.com\n---\n\n${text}`;

test('ids at the ends of headings of Elastic are not seen', () => {
  const text = page('# Field *reference* [field-reference]\n\nOne.\n\n## Sets [#sets_1]\n\nTwo.');
  expect(outline(text)).toEqual(['Field reference: One.', 'Field reference > Sets: Two.']);
});

test.each(['applies_to:\n  stack: all', 'mapped_urls:\n  - a', 'navigation_title: A'])(
  'front matter identifies a page of Elastic: %s',
  (fields) => {
    expect(outline(`---\n${fields}\n---\n# Bundle profiles [bundle-profiles]\n\nOne.`)).toEqual([
      'Bundle profiles: One.',
    ]);
  },
);

test.each([
  ['a variable', 'Run {{apm-lambda-ext}} on {{ecloud}} {{ version.stack | M.M }}.', 'Run apm-lambda-ext on ecloud .'],
  ['a variable with an operation', 'Since {{version | M.M}} only.', 'Since version only.'],
  ['code', 'Write `{{ecloud}}` and `[a-b]`.', 'Write {{ecloud}} and [a-b].'],
  ['a comment of MyST', '% Generated.\n\nOne.', 'One.'],
  ['a role', 'New {applies_to}`stack: ga 9.1` here.', 'New stack: ga 9.1 here.'],
  ['brackets in a text', 'The type is [optional]\nhere, or [optional]', 'The type is [optional]\nhere, or [optional]'],
])('on a page of Elastic, %s: what a reader sees is embedded', (_, text, read) => {
  expect(embedded(page(text))).toEqual([read]);
});

test('on pages of others, brackets at the end of a heading and variables are kept', () => {
  const text = '---\ntitle: Changes\n---\n\n## Retries [experimental]\n\nUse {{ name }}.';
  expect(outline(text)).toEqual(['Changes > Retries [experimental]: Use {{ name }}.']);
  expect(outline('# Read [applies_to: x]\n\napplies_to: a\n')).toEqual(['Read [applies_to: x]: applies_to: a']);
});

test('other brackets in a heading of Elastic are kept', () => {
  const text = page('# [Linux] Input of [a b] and a[0] [input-linux]\n\nOne.\n\n## Read [it](b.md)\n\nTwo.');
  expect(outline(text)).toEqual([
    '[Linux] Input of [a b] and a[0]: One.',
    '[Linux] Input of [a b] and a[0] > Read it: Two.',
  ]);
});
