import { expect, test } from 'vitest';
import parseMarkdown from '#src/formats/markdown/parse-markdown.js';
import { options, outline } from './counting.js';

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

test('a setext heading begins after the definitions before it', () => {
  expect(outline('[foo]\n\n[foo]: first\n[foo]:-\n  foo\n-\nbody')).toEqual([
    ': [foo]\n\n[foo]: first\n[foo]:-',
    'foo: body',
  ]);
});

test.each([
  ['a definition', '[one]: #one'],
  ['a comment', '<!-- one -->'],
  ['an anchor', '<a name="one"></a>'],
])('a heading above other headings is not a passage even if it is followed by %s', (_, unseen) => {
  expect(outline(`# One two three\n${unseen}\n\n## Four\n\na b c`)).toEqual(['One two three > Four: a b c']);
  const alone = outline(`# One two three\n${unseen}\n\n# Four\n\na b c`, { fallbackTitle: 'T' });
  expect(alone.map((each) => each.split('\n')[0])).toEqual(['T: # One two three', 'T > Four: a b c']);
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

test('text before the title has the title as its breadcrumb', () => {
  expect(outline('before\n\n# A\n\na')).toEqual(['A: before', 'A: a']);
});

test('duplicate headings are separate sections', () => {
  expect(outline('# A\n\n## Options\n\none\n\n## Options\n\ntwo\n\n# A\n\nthree')).toEqual([
    'A > Options: one',
    'A > Options: two',
    'A: three',
  ]);
});

test('closing hashes and anchors are not part of a heading', () => {
  expect(outline('# A #\n\na\n\n## B ##  \n\nb\n\n## C {#see-c}\n\nc\n\n## C# {#d.e:f} ##\n\nd')).toEqual([
    'A: a',
    'A > B: b',
    'A > C: c',
    'A > C#: d',
  ]);
});

test.each([
  ['a footnote', '[^1]: ~~~\n    a\n    ~~~\n\n    # B {#b}\n\n    c', 'B:     c'],
  ['an item whose marker ends in a tab', '-\t~~~\n  a\n\n  # B {#b}\n\n  c', 'B:   c'],
])('the code of %s ends before the next heading', (_, text, last) => {
  expect(outline(text).at(-1)).toBe(last);
});

test.each(['<!-- c -->', '{/* c */}', '<script>\n  d\n  </script>'])(
  'a list item that is hidden (%j) makes no heading of the line above it',
  (hidden) => {
    expect(outline(`one two three\n- ${hidden}\n\nfour`)).toEqual([`: one two three\n- ${hidden}\n\nfour`]);
  },
);

test('a list item that begins with a comment has what follows the comment', () => {
  expect(outline('1. <!-- c -->\n\n    # A\n\n    b')).toEqual(['A:     b']);
  expect(outline('10.\n    <!-- c -->\n\n    # A\n\n    b')).toEqual(['A:     b']);
});

test('an anchor in the middle of a heading is kept', () => {
  expect(outline('# A {#if} B <br> C\n\na')).toEqual(['A {#if} B C: a']);
});

test('a breadcrumb has no markup, URLs, tags or comments', () => {
  expect(
    outline('# *The* `a_b` [page](http://x.y) ![logo](z.png) <kbd>K</kbd> <!-- no --> &amp; \\* ~~old~~\n\na'),
  ).toEqual(['The a_b page K & * old: a']);
});

test('an empty heading closes the section above and adds nothing to the breadcrumb', () => {
  expect(outline('# A\n\na\n\n##\n\nb\n\n### C\n\nc')).toEqual(['A: a', 'A: b', 'A > C: c']);
});

test('a heading of whitespace and closing hashes is empty', () => {
  expect(outline('# A\n\na\n\n## ##\n\nb')).toEqual(['A: a', 'A: b']);
});

test('an empty heading with nothing below it is not a passage', () => {
  expect(outline('# A\n\na\n\n##\n')).toEqual(['A: a']);
  expect(outline('#\n')).toEqual([]);
});

test('a heading with nothing below it is a passage under the headings above', () => {
  expect(outline('# A\n\n## B\n\n### C\n\n### D\n\nd\n\n## E\n')).toEqual(['A > B: ### C', 'A > B > D: d', 'A: ## E']);
});

test('a heading with only an empty heading below it is a passage', () => {
  expect(outline('# One\n\n## \n')).toEqual([': # One']);
});

test('a heading with only headings below it is found by their breadcrumbs, not by itself', () => {
  expect(outline('# A\n\n## B\n\nb')).toEqual(['A > B: b']);
  expect(outline('# A\n\n# A\n\na')).toEqual([': # A', 'A: a']);
});

test('a setext heading with nothing below it is a passage with its underline', () => {
  expect(outline('A\n===\n\nB\n---\n')).toEqual(['A: B\n---']);
});

test('a heading in a blockquote does not head what follows the blockquote', () => {
  expect(outline('# A\n\na\n\n> before\n>\n> ## Q\n>\n> q\n\nafter\n\n## B\n\nb')).toEqual([
    'A: a\n\n> before\n>',
    'A > Q: >\n> q',
    'A: after',
    'A > B: b',
  ]);
});

test('a heading in a list item does not head the next item', () => {
  expect(outline('# A\n\n1. # One\n\n   first\n\n2. second\n\n3. before\n\n   ## Three\n\n   third\n\nafter')).toEqual([
    'A > One:    first',
    'A: 2. second\n\n3. before',
    'A > Three:    third',
    'A: after',
  ]);
});

test('headings nested in blockquotes and lists add up, and end with their container', () => {
  expect(outline('# A\n\n> # Q\n>\n> - # L\n>\n>   inside\n>\n> quoted\n\noutside')).toEqual([
    'A: > # Q\n>',
    'A > Q > L: >\n>   inside\n>',
    'A > Q: > quoted',
    'A: outside',
  ]);
});

test('a higher-level heading in a blockquote is still below the heading above the blockquote', () => {
  expect(outline('## B\n\n> # A\n>\n> a\n')).toEqual(['B > A: >\n> a']);
});

test('a heading in a footnote does not head what follows', () => {
  expect(outline('# A\n\n[^1]: # F\n\n    note\n\nafter')).toEqual(['A > F:     note', 'A: after']);
});

test('list markers on a line of their own belong to the next block, or to the one before', () => {
  expect(outline('-\n  a\n\n  # H\n\n  b')).toEqual(['H: -\n  a', 'H:   b']);
  expect(outline('a\n\n-\n  # H\n\n  b')).toEqual(['H: a\n\n-', 'H:   b']);
});

test('a hash in code, in HTML or after four spaces is not a heading', () => {
  expect(outline('# A\n\n```sh\n# no\n```\n\n    # no\n\n<div>\n# no\n</div>\n\n#no\n\n\\# no')).toEqual([
    'A: ```sh\n# no\n```\n\n    # no\n\n<div>\n# no\n</div>\n\n#no\n\n\\# no',
  ]);
});

test('breadcrumbs have at most 4 MB in a file: later passages have none, and the file has a warning', () => {
  const above = Array.from({ length: 5 }, (_, i) => `${'#'.repeat(i + 1)} ${'h'.repeat(999)}\n\n`).join('');
  const { passages, warnings } = parseMarkdown(above + '###### a\n\nb\n\n'.repeat(1000), options());
  const kept = Math.floor((4 << 20) / (5 * 999 + 1));
  expect(passages.map(({ breadcrumb }) => breadcrumb.length)).toEqual(
    Array.from({ length: 1000 }, (_, i) => (i < kept ? 6 : 0)),
  );
  expect(warnings).toEqual([
    `Breadcrumbs must have at most 4 MB: from line ${10 + kept * 4 + 3} on, passages have none.`,
  ]);
});

test('badges are left out of the breadcrumb of a heading that has words', () => {
  expect(outline('# Pool ![build](a.svg) [![npm](b.svg)](c)\n\na\n\n# ![Lane](d.svg)\n\nb')).toEqual([
    'Pool: a',
    'Lane: b',
  ]);
});

test.each([
  ['pool logo', 'pool'],
  ['The Pool.js logo (dark)', 'Pool.js (dark)'],
  ['Logo of the pool', 'pool'],
  ['Banner: Pool', 'Pool'],
  ['Pool – icon', 'Pool'],
  ['pool', 'pool'],
  ['Catalogo', 'Catalogo'],
])('a heading that is only the image %j is named by the subject of the image', (alt, name) => {
  expect(outline(`<h1 align="center"><img src="a.png" alt="${alt}"></h1>\n\na`)).toEqual([`${name}: a`]);
  expect(outline(`# [![${alt}](a.png)](b)\n\na`)).toEqual([`${name}: a`]);
});

test('a heading whose image names nothing is in no breadcrumb, and the next heading is the title', () => {
  expect(outline('# ![Logo](a.png)\n\na\n\n## Use\n\nb')).toEqual([': a', 'Use: b']);
  expect(outline('# ![The logo](a.png)\n\n# Pool\n\na')).toEqual(['Pool: # ![The logo](a.png)', 'Pool: a']);
  expect(outline('# ![banner](a.png)\n\na', { fallbackTitle: 'pool' })).toEqual(['pool: a']);
});

test('"logo" and "banner" are kept in a heading unless they are the text of an image', () => {
  expect(outline('# The logo\n\na\n\n# ![x](a.png) Banner\n\nb')).toEqual(['The logo: a', 'Banner: b']);
});
