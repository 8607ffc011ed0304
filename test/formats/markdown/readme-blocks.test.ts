import { expect, test } from 'vitest';
import { showMarkdown } from '#src/formats/markdown/visible/shown-markdown.js';
import { embedded, outline } from './counting.js';

const block = (kind: string, json: object) => `[block:${kind}]\n${JSON.stringify(json, null, 2)}\n[/block]`;

test.each([
  [
    'a callout',
    block('callout', { type: 'info', title: 'Roles', body: 'Only [admins](doc:a) may.' }),
    'Roles\nOnly admins may.',
  ],
  ['paragraphs', block('callout', { type: 'info', body: 'One "two".\n\nThree C:\\d.' }), 'One "two". Three C:\\d.'],
  [
    'a table',
    block('parameters', { data: { 'h-0': 'Name', 'h-1': 'Meaning', '0-0': '`id`', '0-1': 'A *key*' }, cols: 2 }),
    'Name\nMeaning\nid\nA key',
  ],
  ['an image', block('image', { images: [{ image: ['https://a.b/c', 'c.png', 9], caption: 'The list' }] }), 'The list'],
  ['HTML', block('html', { html: '<div class="a">At most 5,000 requests.\n</div>' }), 'At most 5,000 requests.'],
  [
    'JSON on one line',
    '[block:callout]\n{"type": "info", "title": "Roles", "body": "Only admins."}\n[/block]',
    'Roles Only admins.',
  ],
])('blocks of ReadMe, %s: what a reader sees is embedded', (_, text, read) => {
  expect(embedded(`${text}\nAfter *that*.`)).toEqual([`${read}\nAfter that.`]);
});

test('a heading of ReadMe is a heading', () => {
  const text = `One.\n${block('api-header', { type: 'basic', title: 'Use *keys*' })}\nTwo.`;
  expect(outline(text)).toEqual([': One.', 'Use keys: Two.']);
});

test('code of ReadMe is code', () => {
  const text = block('code', { codes: [{ code: 'curl -X \\\n  -H "a: *b*" <c>', language: 'sh', name: 'Shell' }] });
  expect(embedded(text)).toEqual(['curl -X \\    -H "a: *b*" <c>']);
  expect(showMarkdown(text)).toBe('`curl -X \\ -H "a: *b*" <c>`');
});

test('a block of ReadMe without an end, in code, or within a line is kept as text', () => {
  const unended = 'One.\n\n[block:callout]\n{ "body": "a" }';
  expect(embedded(unended)).toEqual(['One.\n[block:callout]\n{ "body": "a" }']);
  expect(embedded('```\n[block:callout]\n[/block]\n```')).toEqual(['[block:callout]\n[/block]']);
  expect(embedded('Write [block:callout] and [/block] here.')).toEqual(['Write [block:callout] and [/block] here.']);
});

test('a part of a block of ReadMe is shown without its marks', () => {
  expect(showMarkdown('    "h-0": "Name",\n    "0-0": "`id`",\n    "0-1": "A \\"key\\" of')).toBe(
    'Name\n`id`\nA "key" of',
  );
  expect(showMarkdown('"body": "One.",\n"type": "info"')).toBe('One.\n"type": "info"');
  expect(showMarkdown('```json\n"title": "a"\n```')).toBe('```json\n"title": "a"\n```');
});
