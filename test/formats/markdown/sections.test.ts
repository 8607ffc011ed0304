import { expect, test } from 'vitest';
import { outline } from './counting.js';

test('a passage is below the headings above it, outermost first', () => {
  expect(outline('# Guide\n\nintro\n\n## Install\n\nrun it\n\n### Linux\n\napt\n\n## Use\n\ncall it\n')).toEqual([
    'Guide: intro',
    'Guide > Install: run it',
    'Guide > Install > Linux: apt',
    'Guide > Use: call it',
  ]);
});

test('a setext heading is a heading, of one line or several', () => {
  expect(outline('Guide\n=====\n\nintro\n\nInstall\n  it\n---\nrun it')).toEqual([
    'Guide: intro',
    'Guide > Install it: run it',
  ]);
});

test('a setext heading begins behind the definitions in front of it', () => {
  expect(outline('[foo]\n\n[foo]: first\n[foo]:-\n  foo\n-\nbody')).toEqual([
    ': [foo]\n\n[foo]: first\n[foo]:-',
    'foo: body',
  ]);
});

test('a skipped level leaves no gap in the breadcrumb', () => {
  expect(outline('# A\n\na\n\n#### D\n\nd\n\n### C\n\nc\n\n## B\n\nb')).toEqual([
    'A: a',
    'A > D: d',
    'A > C: c',
    'A > B: b',
  ]);
});

test('a file may begin with a deep heading', () => {
  expect(outline('### C\n\nc\n\n# A\n\na')).toEqual(['C: c', 'A: a']);
});

test('text before the first heading has no breadcrumb', () => {
  expect(outline('before\n\n# A\n\na')).toEqual([': before', 'A: a']);
});

test('duplicate headings are sections of their own', () => {
  expect(outline('# A\n\n## Options\n\none\n\n## Options\n\ntwo\n\n# A\n\nthree')).toEqual([
    'A > Options: one',
    'A > Options: two',
    'A: three',
  ]);
});

test('closing hashes and anchors are no part of a heading', () => {
  expect(outline('# A #\n\na\n\n## B ##  \n\nb\n\n## C {#see-c}\n\nc\n\n## C# {#d.e:f} ##\n\nd')).toEqual([
    'A: a',
    'A > B: b',
    'A > C: c',
    'A > C#: d',
  ]);
});

test('an anchor in the middle of a heading stays', () => {
  expect(outline('# A {#if} B <br> C\n\na')).toEqual(['A {#if} B C: a']);
  expect(outline('A {#if}\nB\n===\n\na')).toEqual(['A {#if} B: a']);
});

test('a breadcrumb holds no marks, addresses, tags or comments', () => {
  expect(
    outline('# *The* `a_b` [page](http://x.y) ![logo](z.png) <kbd>K</kbd> <!-- no --> &amp; \\* ~~old~~\n\na'),
  ).toEqual(['The a_b page logo K & * old: a']);
});

test('an empty heading closes the section above and adds nothing to the breadcrumb', () => {
  expect(outline('# A\n\na\n\n##\n\nb\n\n### C\n\nc')).toEqual(['A: a', 'A: b', 'A > C: c']);
});

test('a heading of blanks and closing hashes alone is empty', () => {
  expect(outline('# A\n\na\n\n## ##\n\nb')).toEqual(['A: a', 'A: b']);
});

test('an empty heading with nothing under it is no passage', () => {
  expect(outline('# A\n\na\n\n##\n')).toEqual(['A: a']);
  expect(outline('#\n')).toEqual([]);
});

test('a heading with nothing under it is a passage below the headings above', () => {
  expect(outline('# A\n\n## B\n\n### C\n\n### D\n\nd\n\n## E\n')).toEqual(['A > B: ### C', 'A > B > D: d', 'A: ## E']);
});

test('a heading with nothing but headings under it is found by their breadcrumbs, not by itself', () => {
  expect(outline('# A\n\n## B\n\nb')).toEqual(['A > B: b']);
  expect(outline('# A\n\n# A\n\na')).toEqual([': # A', 'A: a']);
});

test('a setext heading with nothing under it is a passage with its underline', () => {
  expect(outline('A\n===\n\nB\n---\n')).toEqual(['A: B\n---']);
});

test('a heading inside a quote says nothing of what follows the quote', () => {
  expect(outline('# A\n\na\n\n> before\n>\n> ## Q\n>\n> q\n\nafter\n\n## B\n\nb')).toEqual([
    'A: a\n\n> before\n>',
    'A > Q: >\n> q',
    'A: after',
    'A > B: b',
  ]);
});

test('a heading inside a list item says nothing of the next item', () => {
  expect(outline('# A\n\n1. # One\n\n   first\n\n2. second\n\n3. before\n\n   ## Three\n\n   third\n\nafter')).toEqual([
    'A > One:    first',
    'A: 2. second\n\n3. before',
    'A > Three:    third',
    'A: after',
  ]);
});

test('headings nested in quotes and lists add up, and end with what holds them', () => {
  expect(outline('# A\n\n> # Q\n>\n> - # L\n>\n>   inside\n>\n> quoted\n\noutside')).toEqual([
    'A: > # Q\n>',
    'A > Q > L: >\n>   inside\n>',
    'A > Q: > quoted',
    'A: outside',
  ]);
});

test('a heading of a higher level inside a quote is still below the one above the quote', () => {
  expect(outline('## B\n\n> # A\n>\n> a\n')).toEqual(['B > A: >\n> a']);
});

test('a heading in a footnote says nothing of what follows', () => {
  expect(outline('# A\n\n[^1]: # F\n\n    note\n\nafter')).toEqual(['A > F:     note', 'A: after']);
});

test('the marks of a list on a line of their own belong to what comes next or before', () => {
  expect(outline('-\n  a\n\n  # H\n\n  b')).toEqual([': -\n  a', 'H:   b']);
  expect(outline('a\n\n-\n  # H\n\n  b')).toEqual([': a\n\n-', 'H:   b']);
});

test('a hash in code, html or behind four blanks is no heading', () => {
  expect(outline('# A\n\n```sh\n# no\n```\n\n    # no\n\n<div>\n# no\n</div>\n\n#no\n\n\\# no')).toEqual([
    'A: ```sh\n# no\n```\n\n    # no\n\n<div>\n# no\n</div>\n\n#no\n\n\\# no',
  ]);
});
