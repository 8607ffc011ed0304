import { expect, test } from 'vitest';
import { embedded } from './counting.js';

test.each([
  ['emphasis and code', 'the *first* **and** `a_b` ~~gone~~', 'the first and a_b gone'],
  ['a link', 'see [the *page*](http://x.y "Title") now', 'see the page now'],
  ['reference links', 'see [one][r], [r][] and [r]\n\n[r]: http://x.y', 'see one, r and r'],
  ['a footnote', 'see[^1] it\n\n[^1]: The note.', 'see it\nThe note.'],
  ['an image', 'see ![the logo](a.png "T") and ![][r]\n\n[r]: b.png', 'see the logo and'],
  ['a bare address', 'see https://x.y/a_b_c?d=*e* or www.x.y, me@x.y', 'see https://x.y/a_b_c?d=e or www.x.y, me@x.y'],
  ['an address in angle brackets', 'see <https://x.y/a_b>', 'see https://x.y/a_b'],
  ['references to characters', 'a &amp; b &lt;c&gt; \\*d\\*', 'a & b <c> *d*'],
  ['a line break', 'one  \ntwo\\\nthree\nfour', 'one\ntwo\nthree\nfour'],
  ['inline HTML', 'press <kbd>Ctrl</kbd> now<br/>', 'press Ctrl now'],
  ['a word with tags inside', 'con<wbr>figure H<sub>2</sub>O<!-- a -->K', 'configure H2OK'],
  ['a script and a style', '<script setup>\nrun()\n</script>\n\n<style>p { color: red }</style>\n\ntext', 'text'],
  ['a comment inside a line', 'one <!-- no --> two', 'one two'],
  ['block HTML', '<div class="a">\n<p>one</p>\n</div>', 'one'],
  ['references in HTML', '<p>a &lt;b&gt; &amp;amp;\n<img alt="c &amp; d"></p>', 'a <b> &amp;\n c & d'],
  ['a reference next to inline HTML', 'a <b>c</b> <img alt="d &amp; e">', 'a c  d & e'],
  ['details', '<details>\n<summary>More</summary>\n\nhidden *text*\n\n</details>', 'More\nhidden text'],
  ['a quote', '> one\n> two\n>\n> three', 'one\ntwo\nthree'],
  ['a list', '- one\n- [x] two\n  1. three\n\n     four', 'one\ntwo\nthree\nfour'],
  ['a table', '| a | *b* |\n| --- | :-: |\n| c \\| d | |\n| e |', 'a | b\nc | d |\ne'],
  ['a fence', '```ts {1}\nlet a;\n\n  b();\n```', 'let a;\n  b();'],
  ['an alert', '> [!NOTE]\n> Take care.', 'NOTE\nTake care.'],
  ['an admonition', ':::tip Good to know\nTake care.\n:::', 'tip Good to know\nTake care.'],
  ['an admonition with blank lines', '::: warning\n\nTake care.\n\n:::', 'warning\nTake care.'],
  ['a definition next to text', 'text\n\n[r]: http://x.y', 'text'],
  ['a comment next to text', '<!-- lint off -->\n\ntext\n\n<!--\nmore\n-->', 'text'],
  ['a thematic break next to text', 'one\n\n***\n\ntwo', 'one\ntwo'],
])('%s: what a reader sees is embedded', (_, text, read) => {
  expect(embedded(text)).toEqual([read]);
});

test('a URL next to markup is embedded like any other text', () => {
  expect(embedded('one\n\n_me@x.co_ two\n\n[you@x.co three')).toEqual(['one\nme@x.co two\n[you@x.co three']);
});

test('the breadcrumb is embedded first, on one line', () => {
  expect(embedded('# The *guide*\n\n## Use\n\ntext')).toEqual(['The guide > Use\ntext']);
});

test.each([
  ['definitions', '[a]: http://x.y\n[b]: <z> "T"'],
  ['a comment', '<!-- nothing to see -->'],
  ['a thematic break', '***'],
  ['an image without a text', '![](a.png)'],
  ['an empty fence', '```\n```'],
])('a section that contains only %s is embedded as its heading', (_, text) => {
  expect(embedded(`# A\n\n${text}\n`)).toEqual(['A']);
});

test('code keeps its indentation except on the first line', () => {
  expect(embedded('text\n\n    if (a) {\n      b();\n    }')).toEqual(['text\nif (a) {\n  b();\n}']);
});

test('fenced code that is cut is embedded without its fences', () => {
  expect(embedded('~~~~js\none two\n```\nthree\n~~~\nfour\n~~~~', { budget: 4 })).toEqual([
    'one two',
    '```\nthree',
    '~~~\nfour',
  ]);
});

test('unclosed fenced code that is cut is embedded to its end', () => {
  expect(embedded('```\none\ntwo\n', { budget: 1 })).toEqual(['one', 'two']);
});

test('a blockquote that is cut is embedded without its markers', () => {
  expect(embedded('> one two\n> three four\n> five six\n> seven eight', { budget: 4 })).toEqual([
    'one two\nthree four',
    'five six\nseven eight',
  ]);
});

test('a carriage return is embedded as a line feed', () => {
  expect(embedded('a\r\nb\rc\n\n```\r\nd\r\n\r\ne\r\n```\r\n')).toEqual(['a\nb\nc\nd\ne']);
});

test('escapes and character references are decoded, even if a paragraph is cut', () => {
  const text = 'A \\<b\\> and AT&amp;T \\*star\\*. ';
  expect(embedded(text.trim())).toEqual(['A <b> and AT&T *star*.']);
  for (const part of embedded(text.repeat(200).trim())) expect(part).toMatch(/^(A <b> and AT&T \*star\*\. ?)+$/);
});

test('parts of code in a quote are embedded without its marks, and keep their own', () => {
  expect(embedded('> ```\n> a b\n> > c d\n> e f\n> ```', { budget: 4 })).toEqual(['a b', '> c d', 'e f']);
  expect(embedded('```\na b\n> c d\n```', { budget: 4 })).toEqual(['a b', '> c d']);
});
