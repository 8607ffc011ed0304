import { expect, test } from 'vitest';
import { showMarkdown } from '#src/formats/markdown/visible/shown-markdown.js';
import { embedded, outline } from './counting.js';

test.each([
  ['divisions', '[div class="table"]\n| a | b |\n|---|---|\n| c | d |\n[/div]\n\nOne.', 'a | b\nc | d\nOne.'],
  [
    'tabs',
    '[ui-tabs position="top"]\n[ui-tab title="On Linux"]\nRun *it*.\n[/ui-tab]\n[/ui-tabs]',
    'On Linux\nRun it.',
  ],
  ['versions', 'PHP [version=15]5.6[/version][version=16]7.1[/version] or later', 'PHP 5.6 7.1 or later'],
  ['a version after a word', 'If content[version=16], as well, is saved[/version].', 'If content, as well, is saved .'],
  ['details', '[details="Old tutorial"]\nRun it.\n[/details]', 'Old tutorial\nRun it.'],
  ['details without quotes', '[details=As of June 30, 2020:]\nRun it.\n[/details]', 'As of June 30, 2020:\nRun it.'],
  ['a quote', '[quote="Ann, post:1, topic:2"]\nRun it.\n[/quote]', 'Run it.'],
  ['a quote without an author', '[quote]\nRun it.\n[/quote]', 'Run it.'],
  ['a date', 'Seen on [date=2023-04-03 timezone="America/Boise"].', 'Seen on 2023-04-03.'],
])('tags in square brackets, %s: what a reader sees is embedded', (_, text, read) => {
  expect(embedded(text)).toEqual([read]);
});

test.each([
  ['Grav', '[prism classes="language-bash line-numbers"]', '[/prism]', 'bash'],
  ['a forum', '[code lang="bash"]', '[/code]', 'bash'],
  ['a forum, without a language', '[code]', '[/code]', ''],
])('code between tags in square brackets is code: %s', (_, opening, closing, language) => {
  const code = '# no heading\na: <b>\n---\n!! **c** [div class="d"]';
  const text = `Run this:\n${opening}\n${code}\n${closing}\nThen that.`;
  expect(outline(text)).toEqual([`: ${text}`]);
  expect(embedded(text)).toEqual([`Run this:\n${code}\nThen that.`]);
  expect(showMarkdown(text)).toBe(`Run this:\n\`\`\`${language}\n${code}\n\`\`\`\nThen that.`);
});

test('code between tags that do not fill their lines is text', () => {
  expect(embedded('Run [prism classes="a"]one two[/prism] now.')).toEqual(['Run one two now.']);
});

test.each([
  'A list [quote] and a [code] that nothing ends.',
  'See [version][1] and arr[code].',
  'Read [/details/a] and [divide="a"].',
])('other square brackets are kept: %s', (text) => {
  expect(embedded(text)).toEqual([text]);
});

test('a link whose text is the name of a tag stays a link', () => {
  expect(embedded('See [quote](a.md) and [/quote](b.md).\n\n[/quote]')).toEqual(['See quote and /quote.']);
});

test.each(['!!', '!!!', '!!!!', '!'])('the mark of a paragraph in a box of Grav is not seen: %s', (mark) => {
  expect(embedded(`${mark} Every web server must be *configured*.`)).toEqual(['Every web server must be configured.']);
  expect(embedded(`${mark} Every web server must be configured`)).toEqual(['Every web server must be configured']);
});

test('exclamation marks before nothing, before a word without a blank, or in a legend are kept', () => {
  expect(embedded('!!\n\n!important\n\n! no')).toEqual(['!!\n!important\n! no']);
  expect(embedded('One:\n  *  Staged\n  !  Partial')).toEqual(['One:\nStaged\n! Partial']);
});
