import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownText } from 'waymark';
import { documents, noise } from '../formats/markdown/documents.js';

test.each([
  ['an anchor', '## Keys\n\n<a id="keys"></a>\n\nRotate them.', '## Keys\n\nRotate them.'],
  ['a comment', 'Rotate <!-- daily? --> them.\n<!-- TODO -->\nNow.', 'Rotate them.\nNow.'],
  ['a comment of several lines', 'One.\n\n<!--\nnot\n\nthis\n-->\n\nTwo.', 'One.\n\nTwo.'],
  ['a comment in a quote', '> One.\n> <!-- not this -->\n> Two.', '> One.\n> Two.'],
  ['tags', '<p align="center"><b>One</b> two</p>\n<p>Three<br>four</p>', 'One two\nThree four'],
  ['an image', 'See ![the logo](a.png) and <img src="a.png" alt="a mark">.', 'See the logo and a mark.'],
  ['a badge', '[![Build](https://a.example/b.svg)](https://a.example)', '[Build](https://a.example)'],
  ['a link with its target elsewhere', 'See [*it* `a`][a] and [b].\n\n[b]: https://b.example', 'See *it* `a` and b.'],
  ['a link to a template', 'See [the page]({% page "/a b" %}).', 'See the page.'],
  [
    'a shortcode',
    '{{< tabs >}}\n{{% tab header="On Linux" %}}\nText.\n{{% /tab %}}\n{{< /tabs >}}',
    'On Linux  \nText.',
  ],
  ['a directive', ':::note[Good to know]\nText.\n:::', 'note Good to know  \nText.'],
  ['an alert', '> [!TIP]\n> Text.', '> TIP  \n> Text.'],
  ['a wikilink', 'See [[Notes/Tea|the tea]].', 'See the tea.'],
  ['code that is elsewhere', 'Main:\n\n```rust\n{{#include a.rs:b}}\n```\n\n> ~~~\n> ~~~\n> Two.', 'Main:\n\n> Two.'],
  ['code that is elsewhere, with a title', '```rust title="a"\n{{#include a}}\n```', '```rust title="a"\n```'],
  ['code with an include', '```rust\n{{#include a.rs}}\nfn b() {}\n```', '```rust\nfn b() {}\n```'],
  ['a table of HTML with blank lines', '<table>\n\n    <tr>\n\n      <td>One</td>\n\n    </tr>\n</table>', 'One'],
  ['a part of such a table', '<table>\n    <tr>\n\n        <td>One</td>\n\n        <td>Two</td>', 'One\n\nTwo'],
  [
    'a part of a list',
    '      - One\n        ~~~\n        a\n        ~~~\n    - Two',
    '  - One\n    ~~~\n    a\n    ~~~\n- Two',
  ],
  ['attributes', '# One {#one}\n\nTwo.{.lead}\n{: .note}', '# One\n\nTwo.'],
])('%s is shown as its reader sees it', async (_, text, shown) => {
  expect(await shownText(text)).toBe(shown);
});

test.each([
  ['prose and lists', '# One\n\nTwo **three** `four`  \nfive.\n\n\n- six\n  - seven\n\n1. eight'],
  ['links', 'See [one](https://a.example "A") and <https://b.example>.'],
  ['code', '```html\n<a id="b"></a>\n\n\n<!-- c -->   d\n```\n\n    <e>\n\n`<f>`'],
  ['a part of a table', '| a   | b   |\n| --- | --- |\n| `c` | d   |'],
  ['formulas', 'So $a_1$:\n$$\nb_1\n- c\n$$\nholds.'],
  ['indexes in brackets', 'Send user[name][first] and ids[0][] with `a`.'],
  ['line ends of Windows', 'One.\r\n\r\nTwo.'],
])('shown as it stands: %s', async (_, text) => {
  expect(await shownText(text)).toBe(text);
});

test('comments and components are hidden in MDX only, and plain text has no markup', async () => {
  const text = "import A from './a';\n\n<div>{/* no */}\n\nOne.\n\n</div>";
  expect(await shownText(text, { contentType: 'text/mdx' })).toBe('One.');
  expect(await shownText('<b>One</b>', { contentType: 'text/plain' })).toBe('<b>One</b>');
});

test('a long text keeps the blank between the part that is parsed and the rest', async () => {
  const text = `${'a'.repeat(3_999)} <b>`;
  expect(await shownText(text)).toBe(text);
});

const NOTE = '<!-- note -->';

test.each([
  ['4,000 characters are read', `${'a'.repeat(2_500)}\n${NOTE}${'b'.repeat(1_486)}`, { isRead: true }],
  ['the first line is longer', `${'a'.repeat(4_000)}\n${NOTE}b`, { isRead: false }],
  ['a line ends in the second half', `${'a'.repeat(3_000)}\n${NOTE}${'b'.repeat(2_000)}`, { isRead: false }],
  ['lines end in the first half only', `${'a'.repeat(2_000)}\n${NOTE}${'b'.repeat(2_000)}`, { isRead: true }],
  ['the last character is a surrogate pair', `${'a'.repeat(3_999)}😀${NOTE}`, { isRead: false }],
])('a long text is read to the end of a line or character: %s', async (_, text, { isRead }) => {
  expect(await shownText(text)).toBe(isRead ? text.replace(NOTE, '') : text);
});

test('blanks at the end of a text are not shown', async () => {
  expect(await shownText('One.\n\n')).toBe('One.');
});

test('a text of which a reader would see nothing is shown as it stands', async () => {
  for (const text of ['<!-- a -->', '    ~~~rust\n    {{#include a.rs}}\n    ~~~'])
    expect(await shownText(text)).toBe(text);
});

test('what is shown of a text consists of its characters, in their order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(documents, noise), fc.constantFrom(undefined, 'text/mdx'), async (text, contentType) => {
      // Some marks of flavours become those of headings, items and code.
      const shown = (await shownText(text, { contentType })).toWellFormed().replace(/[\s#`-]/g, '');
      let at = 0;
      for (const character of text.toWellFormed()) if (shown.startsWith(character, at)) at += character.length;
      expect(shown.slice(at)).toBe('');
    }),
    { seed: 20, numRuns: 200 },
  );
});
