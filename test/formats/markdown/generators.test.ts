import fc from 'fast-check';
import { expect, test } from 'vitest';
import parseMarkdown from '#src/formats/markdown/parse-markdown.js';
import parseMdx from '#src/formats/markdown/parse-mdx.js';
import { showMarkdown } from '#src/formats/markdown/visible/shown-markdown.js';
import { embedded, options, outline } from './counting.js';

test.each([
  ['of a text', 'One two three.\n{style="note"}', 'One two three.'],
  ['of code', '```js\na()\n```\n{runnable="true" id="b"}\n\nOne two.', 'a()\nOne two.'],
  ['of a quote', '> One two.\n>\n{style="tip"}\n\nThree.', 'One two.\nThree.'],
  ['after other attributes', 'See ![a b](c.png){width=20}{type="joined"} now.', 'See a b now.'],
])('attributes on a line below their block are not seen: %s', (_, text, read) => {
  expect(embedded(text)).toEqual([read]);
});

test('attributes that belong to no block are kept as text', () => {
  for (const text of ['{job="api"} is a selector.', 'One two.\n\n{job="api"}', '<p>\n{job="api"}\n</p>']) {
    expect(embedded(text).join()).toContain('{job="api"}');
  }
});

test('lines of Rust that rustdoc only compiles are not seen', () => {
  const code = '```rust,ignore\n# use a::b;\n#[derive(C)]\nstruct D;\n#\n## e\n```';
  expect(embedded(code)).toEqual(['#[derive(C)]\nstruct D;\n## e']);
  expect(embedded('> ```rust\n> # fn main() {\n> one_two_three();\n> ```')).toEqual(['one_two_three();']);
  expect(showMarkdown(code)).toBe('```rust,ignore\n#[derive(C)]\nstruct D;\n## e\n```');
  expect(embedded('```sh\n# one two three\n```')).toEqual(['# one two three']);
});

test.each([
  ['#', 'r'],
  ['#', 'python, echo=FALSE'],
  ['//', 'ojs'],
  ['%%', 'mermaid'],
  ['--', 'sql'],
])('options at the beginning of a cell of Quarto are not seen: %s| in {%s}', (mark, language) => {
  const cell = `\`\`\`{${language}}\n${mark}| label: fig-a\n${mark}| echo=FALSE\nplot one two\n${mark}| b: c\n\`\`\``;
  expect(embedded(cell)).toEqual([`plot one two\n${mark}| b: c`]);
  expect(embedded(cell.replace(/^/gm, '> '))).toEqual([`plot one two\n${mark}| b: c`]);
  expect(showMarkdown(cell)).toBe(`\`\`\`{${language}}\nplot one two\n${mark}| b: c\n\`\`\``);
});

test.each([
  ['a caption', '#| fig-cap: "One two."', 'One two.'],
  ['a text on several lines', '#| label: a\n#| fig-alt: |\n#|   One\n#|   two.\n#| echo: false', 'One\n   two.'],
  ['a quoted text on several lines', "#| tbl-cap: 'One\n#|   two.'\n#| echo: false", 'One\n   two.'],
  ['captions of several figures', '#| fig-subcap:\n#|   - One two.\n#|   - Three.', '- One two.\n   - Three.'],
  ['a caption that R computes', '#| fig-cap: !expr paste(a)', ''],
])('what a reader sees of the options of a cell is embedded: %s', (_, written, read) => {
  const text = `\`\`\`{r}\n${written}\nplot(a, b, c)\n\`\`\``;
  expect(embedded(text)).toEqual([`${read}\nplot(a, b, c)`.trim()]);
});

test('without its options a cell gives the same words in the same passages', () => {
  const option = fc.constantFrom(
    '#| label: zzz',
    '#| zzz=FALSE',
    '#|',
    '#| tags:\n#|   - zzz',
    '#| fig-cap: !expr zzz',
  );
  const cells = fc.array(
    fc.record({
      written: fc.array(option, { maxLength: 4 }),
      code: fc.array(fc.constantFrom('plot one two', 'a |> b', '', '# c d', '#> e'), { maxLength: 30 }),
    }),
  );
  const read = (parts: readonly string[][]) => {
    const text = parts.map((lines) => ['One two:', '', '```{r}', ...lines, '```', ''].join('\n')).join('\n');
    return parseMarkdown(text, options({ budget: 40 })).passages.map(({ readable }) => readable.match(/\w+/g));
  };
  fc.assert(
    fc.property(cells, (given) => {
      const bare = given.map(({ code }) => ['f g', ...code]);
      expect(read(given.map(({ written, code }) => [...written, 'f g', ...code]))).toEqual(read(bare));
    }),
    { seed: 16, numRuns: 100 },
  );
});

test('code that is only shown keeps the options in it', () => {
  for (const language of ['r', '{{r}}', '{.r}']) {
    expect(embedded(`\`\`\`${language}\n#| label: a\nplot(b)\n\`\`\``)).toEqual(['#| label: a\nplot(b)']);
  }
});

test('an anchor between percent signs is not seen at the end of a line', () => {
  expect(outline('## One two %{#three-four}%\n\nFive.')).toEqual(['One two: Five.']);
  expect(outline('# 一 %{#a≤b}% #\n\nSee %{#b}% and 50%{c}%.')).toEqual(['一: See %{#b}% and 50%{c}%.']);
});

test('the fields of an interface have their names and types', () => {
  const fields = '<ParamField path="id" type="string" required>\nOne two.\n</ParamField>\n\n<Icon name="a" />';
  expect(parseMdx(fields, options()).passages.map(({ readable }) => readable)).toEqual(['id string\nOne two.']);
});

test.each([
  ['the head of a page', '<head>\n  <title>One</title>\n</head>\n\nTwo three four.', 'Two three four.'],
  ['links of DocC', 'See <doc:Access#Type-Aliases> and <doc:Types>.', 'See Type Aliases and Types.'],
  ['directives of DocC', '@Metadata {\n  @PageKind(article)\n}\n\nOne two three.', 'One two three.'],
  ['properties of Logseq', '- One two\n  id:: 60a790f8-d187-499a-b2e2-73bf137356dd\n  - Three', 'One two\nThree'],
  [
    'blocks of Logseq',
    '- #+BEGIN_TIP\n  One two.\n  #+END_TIP\n- #+BEGIN_QUOTE\n  A.\n  #+END_QUOTE',
    'TIP\nOne two.\nA.',
  ],
  ['marks of Docsify', '?> One two.\n\n!> Three.', 'One two.\nThree.'],
  ['marks of Terraform', '~> **Note:** One two.\n\n-> Three four.', 'Note: One two.\nThree four.'],
  [
    'tabs of VuePress',
    '::: code-tabs\n@tab npm\n```sh\na b\n```\n@tab:active yarn\n```sh\nc d\n```\n:::',
    'npm\na b\nyarn\nc d',
  ],
  ['excerpts', 'One two.\n\n@[code js{1-3}](./a.js)\n\n--8<-- "b.md"\n\n[[_TOSP_]]\n\nThree.', 'One two.\nThree.'],
  ['comments of kramdown', '{::comment}\nNot this.\n{:/comment}\n\nOne two three.', 'One two three.'],
  ['sizes of images', 'See ![a b](c.png =100x50) now.', 'See a b now.'],
  ['sizes in the texts of images', 'See ![a b|690x320, 50%](upload://c.png) and ![d|100](e.png).', 'See a b and d.'],
  ['the size of an image that a site has', "See ![a b|9x9]({{ '/c.png' | url }}) now.", 'See a b now.'],
  ['other bars in the texts of images', 'See ![a | 2 b](c.png) and ![d|e](f.png).', 'See a | 2 b and d|e.'],
  ['references of Documenter', 'See [a `b[1]`](@ref c-d), [e](@ref) and [f](@ref "G (h) i").', 'See a b[1], e and f.'],
  ['links of Dendron', 'See [[one two|dev.design#a b]] and [[three|dendron://a.b/c.d-e]].', 'See one two and three.'],
  [
    'links with the target first',
    'See [[One|dev.json]], [[a.b.c|d.e.f]] and [[B|C d]].',
    'See dev.json, d.e.f and C d.',
  ],
  ['links that show a version', 'See [[Release notes|v1.2.3]] and [[Changelog|1.2.3]].', 'See v1.2.3 and 1.2.3.'],
  ['the kind of an admonition without a title', '!!! compat\n    One two.', 'compat\nOne two.'],
  ['raw variables', 'The {{{ .starter }}} plan has {{ .Name }}.', 'The starter plan has {{ .Name }}.'],
])('%s: what a reader sees is embedded', (_, text, read) => {
  expect(embedded(text)).toEqual([read]);
});

test('the name of a heading of Documenter is not seen', () => {
  expect(outline('# [One `two`](@id three-four)\n\nFive.')).toEqual(['One two: Five.']);
});

test('a heading in HTML is a heading even between other tags', () => {
  const readme = '<div align="center">\n<img src="a.png" alt="b c d">\n<h1>Tool</h1>\n<p>One <b>two</b> three.</p>';
  expect(outline(`${readme}\n</div>\n\n## E\n\nf g h`)).toEqual([
    'Tool: <img src="a.png" alt="b c d">',
    'Tool: <p>One <b>two</b> three.</p>\n</div>',
    'Tool > E: f g h',
  ]);
  expect(embedded('<div>\n<h3>A</h3>\n\nb c d\n\n</div>\n<div>\n<h3>E</h3>\n\nf g h\n\n</div>')).toEqual([
    'A\nb c d',
    'E\nf g h',
  ]);
  expect(embedded('<pre>\n<h1>One two</h1>\n</pre>')).toEqual(['One two']);
});

test.each([
  ['code of Jekyll', '{% highlight sh %}', '{% endhighlight %}', '```sh'],
  ['code of Hugo', '{{< highlight sh >}}', '{{< /highlight >}}', '```sh'],
  ['a tab of Hugo', '{{< tab header="On Unix" lang="sh" >}}', '{{< /tab >}}', '```sh title="On Unix"'],
])('%s is shown as code, also in parts and in quotes', (_, open, close, fence) => {
  const shown = (text: string, budget: number) => {
    const { passages } = parseMarkdown(text, options({ budget }));
    return passages.map(({ start, end, opening = '', closing = '' }) =>
      showMarkdown(opening + text.slice(start, end) + closing)?.replace(/ +$/gm, ''),
    );
  };
  expect(shown(`${open}\na b c\nd e f\n${close}\n`, 100)).toEqual([`${fence}\na b c\nd e f\n\`\`\``]);
  expect(shown(`> ${open}\n> a b c\n> ${close}\n`, 100)).toEqual([`> ${fence}\n> a b c\n> \`\`\``]);
  expect(shown(`${open}\na b c d e f\ng h i j k l\n${close}\n`, 10)).toEqual([
    `${fence}\na b c d e f\n\`\`\``,
    `${fence}\ng h i j k l\n\`\`\``,
  ]);
});

test('the slice of a passage includes the whole tag that ends its code', () => {
  expect(outline('{% highlight sh %}\na b c\n{% endhighlight %}')).toEqual([
    ': {% highlight sh %}\na b c\n{% endhighlight %}',
  ]);
});

test('cells and icons of GitBook that are not shown are not seen', () => {
  const head = '<thead><tr><th><strong></strong></th><th></th><th data-hidden data-card-target></th></tr></thead>';
  const row = '<tr><td><i class="fa-bell">:bell:</i> One</td><td>Two *it*</td><td><a href="a.md">a.md</a></td></tr>';
  const last = '<tr><td>Three</td><td></td><td>b.md</td></tr>';
  const cards = `<table data-view="cards">${head}<tbody>${row}${last}</tbody></table>`;
  expect(embedded(cards).join().match(/\w+/g)).toEqual(['One', 'Two', 'it', 'Three']);
  expect(embedded(cards.replace('data-hidden', '')).join()).toContain('a.md');
});

test('HTML in a fence of Pandoc is read as HTML', () => {
  const html = '<table>\n  <tr>\n   <td style="a"> One </td>\n   <td> <b>two</b> </td>\n  </tr>\n</table>';
  const text = `\`\`\`{=html}\n${html}\n\`\`\`\n\nThree *four*.`;
  expect(embedded(text).join().match(/\S+/g)).toEqual(['One', 'two', 'Three', 'four.']);
  expect(embedded(text.replace('{=html}', 'html')).join()).toContain('<td style="a">');
});

test('a long description among the attributes of an image is not seen', () => {
  const description = 'a b '.repeat(150);
  expect(embedded(`![One two](a.png){.border fig-alt="${description}"}\n\nThree four.`)).toEqual([
    'One two\nThree four.',
  ]);
});
