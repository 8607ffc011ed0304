import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asCommonMark } from '#src/formats/markdown/flavours/as-commonmark.js';
import parseMdx from '#src/formats/markdown/parse-mdx.js';
import { embedded, options, outline } from './counting.js';
import { documents, noise } from './documents.js';

/** Its rows are indented by four columns behind a blank line, and behind one that is hidden. */
const TABLE =
  '<table>\n  <tr>\n    {% row %}\n    <td>One</td>\n\n    <td>Two</td>\n\n\t<td>Three</td>\n  </tr>\n</table>';

/** A table of Pandoc and reST, with a row of several lines. */
const GRID = `
+-----+-------+
| a   | b     |
+=====+=======+
| *c* | d|e   |
+-----+-------+
| f \\ | \`h|i\` |
| g   | \`\`\`js |
|     | *j*   |
| ::: | \`\`\`   |
+-----+-------+

: Caption`;

const ofMdx = (text: string) => parseMdx(text, options()).passages.map((passage) => passage.text);

test.each([
  [
    'imports and exports',
    "import A from './a';\nexport const b = {\n  c: 1,\n\n  d: 2,\n};\n\nText here.",
    'Text here.',
  ],
  ['an export with a brace in a string', 'export const a = "{";\n\n# Title\n\nText here.', 'Title\nText here.'],
  ['a comment', 'One {/* not this */} two.\n\n{/* nor\n\nthis */}', 'One two.'],
  ['components', '<Steps>\n  <Step a={{ b: "c" }}>\n    First *one*.\n  </Step>\n</Steps>', 'First one.'],
  ['the title of a component', '<Tab label="On Windows">\nText.\n</Tab>', 'On Windows\nText.'],
  [
    'strings in braces of a component',
    `<Image alt={"The alt"} />\n\n<Card title={\`Nice\`} caption={ 'Shown' } text={name}>\nText.\n</Card>`,
    'The alt\n Nice Shown\nText.',
  ],
  ['a tag over several lines', '<Card\n  title="The card"\n  href="/x"\n/>\n\nText.', 'The card\nText.'],
  ['an expression', 'It is {props.value} and {"a word"}.', 'It is and a word.'],
  ['code that is indented', '<Tab>\n      Not code, *but text*.\n</Tab>', 'Not code, but text.'],
  ['tags of HTML', '<p>One <b>two</b></p>', 'One two'],
  ['a smaller sign', 'a < b and {c', 'a < b and {c'],
  [
    'code',
    'Use `<Tab {...p}>`:\n\n```jsx\nimport A from "a";\n<A />\n```',
    'Use <Tab {...p}>:\nimport A from "a";\n<A />',
  ],
])('MDX, %s: what a reader sees is embedded', (_, text, read) => {
  expect(ofMdx(text)).toEqual([read]);
});

test('a markdown file that imports components is read as MDX', () => {
  expect(embedded("import Tabs from './tabs';\n\n# Use\n\n<Tabs items={['a']}>\n\nfirst\n\n</Tabs>")).toEqual([
    'Use\nfirst',
  ]);
});

test('what only looks like a script does not hide the imports below it', () => {
  const other = "\n\n## Other\n\nimport Tabs from './tabs';\n\n<Tabs items={['a']}>\n\nThe first one\n\n</Tabs>";
  for (const [names, read] of [
    ['Run `pnpm run <script name>`.', 'Run pnpm run <script name>.'],
    ['Use the <Script /> component.', 'Use the <Script /> component.'],
  ]) {
    expect(embedded(`${names}${other}`)).toEqual([read, 'Other\nThe first one']);
  }
});

test('an import in code, in a script and in prose does not make a file MDX', () => {
  const indented = '\n\n    code {a}';
  for (const text of [
    "```js\nimport a from 'b';\n```",
    "<script setup>\nimport a from 'b';\n</script>",
    ...['<div>', '- ', '> ', 'Text ', 'The `code` ', '{{x}}'].map(
      (before) => `${before}<script>\nimport a from 'b';\n</script>`,
    ),
    "import it\nfrom 'b'",
  ]) {
    expect(embedded(text + indented).join()).toContain('code {a}');
  }
});

test.each([
  ['a directive', ':::note[Good to know]{.open}\nText.\n:::', 'note Good to know\nText.'],
  ['a container of VitePress', '::: details Click me\nText.\n:::', 'Click me\nText.'],
  ['a container of layout', '::: code-group\n\nText.\n\n:::', 'Text.'],
  ['a directive in a line', 'Press :kbd[Ctrl]{.key} at 10:30.', 'Press Ctrl at 10:30.'],
  ['an admonition of MkDocs', '!!! warning "Take care"\n    Hot *water*.', 'warning Take care\nHot water.'],
  ['a tab of MkDocs', '=== "Linux"\n\n    Text.', 'Linux\nText.'],
  ['marks in the title of a tab', '=== ":octicons-file-16: On [[a|Linux]]"\n\n    Text.', 'On Linux\nText.'],
  [
    'marks in the title of an admonition',
    '!!! tip ":material-check:{ .lg } `:material-x:`"\n\n    A.',
    'tip :material-x:\nA.',
  ],
  [
    'marks in the titles of directives',
    ':::note[A {{ a.b }}]{.c}\n:::\n\n::: tip See [[D]] {.d}\n:::\n\nE.',
    'note A\ntip See D\nE.',
  ],
  ['marks in the title of a block', '/// tip | {{< badge One >}} two\n    open: true\n\nA.\n\n///', 'tip One two\nA.'],
  ['a comment from a title on', '::: tip A <!-- {title="b"}\nnot this -->\nText.\n:::', 'tip A\nText.'],
  ['an alert', '> [!TIP]- With a title\n> Text.', 'TIP With a title\nText.'],
  [
    'shortcodes of Hugo',
    '{{< tabs >}}\n{{% tab header="On Linux" %}}\nText.\n{{% /tab %}}\n{{< /tabs >}}',
    'On Linux\nText.',
  ],
  [
    'tabs of code of Hugo',
    '{{< tabpane >}}\n{{< tab header="Config" disabled=true />}}\n{{< tab header="On Unix" lang="Bash" >}}\n' +
      'a *b* \\*\n\n# c\n{{< /tab >}}\n{{< tab lang=toml >}}\n[d] # *e*\n{{< /tab >}}\n{{< /tabpane >}}',
    'Config\nOn Unix\na *b* \\*\n# c\n[d] # *e*',
  ],
  [
    'a tab of code in an item',
    '- One\n\n  {{< tab header="On Unix" lang="Bash" >}}\n  a *b*\n\n    c\n  {{< /tab >}}\n\n  *Two*',
    'One\nOn Unix\na *b*\n  c\nTwo',
  ],
  ['a tab of text', '{{< tab header="A" lang="en" text=true >}}\nThe *text*.\n{{< /tab >}}', 'A\nThe text.'],
  [
    'toggled code of Hugo',
    '{{< code-toggle file=hugo >}}\n# *a*\nb: c\n{{</ code-toggle >}}\n\n{{< code-toggle config=x />}}\n\n*Two*',
    '# *a*\nb: c\nTwo',
  ],
  ['code of Hugo', '{{% highlight go "linenos=table" %}}\na *b*\n{{% /highlight %}}', 'a *b*'],
  ['code of Istio', '{{< text bash >}}\n$ a *b*\n# c\n{{< /text >}}\n\nSee *d*.', '$ a *b*\n# c\nSee d.'],
  [
    'code of Istio in a list',
    '1.  One:\n\n    {{< text syntax=yaml snip_id=none >}}\n    a: *b*\n\n    # c\n    {{< /text >}}\n\n1.  Two.',
    'One:\na: *b*\n# c\nTwo.',
  ],
  ['a text of Hugo', '{{< text >}}\nSee *d*.\n{{< /text >}}', 'See d.'],
  [
    'a card of code',
    '{{< card code=true header="**Shell**" lang="sh" >}}\na *b*\n# c\n{{< /card >}}',
    '**Shell**\na *b*\n# c',
  ],
  ['a card of text', '{{< card header="Shell" >}}\nSee *d*.\n{{< /card >}}', 'Shell\nSee d.'],
  ['a command', '{{< command >}}\n$ a *b*\n{{< /command >}}', '$ a *b*'],
  [
    'code of Redis',
    '{{< clients-example set="a" step="b" >}}\n> SET a *b*\n# c\n{{< /clients-example >}}',
    '> SET a *b*\n# c',
  ],
  [
    'included code',
    '{{< code file="a.go" >}}\n\nSee *d*.\n\n{{< code lang=go >}}\na *b*\n{{< /code >}}',
    'See d.\na *b*',
  ],
  ['a comment of Hugo', 'One.\n\n{{< comment >}} Not\n\n*this*. {{< /comment >}}\n\nTwo.', 'One.\nTwo.'],
  [
    'shortcodes of words',
    'Press {{< kbd Ctrl-P >}}, {{<kbd "Page Up" b>}} or {{< button "/docs" "Get *it*" style=big >}}.',
    'Press Ctrl-P , Page Up b or Get it .',
  ],
  [
    'an example of a shortcode',
    'Write {{</* youtube a1b2 */>}} or {{%/*/* qr */*/%}} now.',
    'Write {{< youtube a1b2 >}} or {{%/* qr */%}} now.',
  ],
  ['a shortcode of other words', 'See {{< youtube a1b2 >}} now.', 'See now.'],
  ['tags of Liquid', '{% alert %}\nSee [the page]({% page "/a b" %}).\n{% endalert %}', 'See the page.'],
  ['a comment of Liquid', 'One.\n\n{% comment %}\nNot this.\n{% endcomment %}\n\nTwo.', 'One.\nTwo.'],
  ['code of Jekyll', '{% highlight ruby %}\nputs *1*\n{% endhighlight %}', 'puts *1*'],
  [
    'code of Jekyll with a fence',
    '{% highlight md %}\n```js\na *b*\n```\n{% endhighlight %}\n\nSee *c*.',
    '```js\na *b*\n```\nSee c.',
  ],
  [
    'code of Jekyll with a fence too long for the tag',
    '{% highlight md %}\n``````````````````js\na\n``````````````````\n{% endhighlight %}\n\nSee *c*.',
    'a\nSee c.',
  ],
  [
    'code of Jekyll behind a tag of HTML',
    '<div class="x">\n{% highlight rb %}\nputs *1*\n\n# a\n{% endhighlight %}\n</div>',
    'puts *1*\n# a',
  ],
  [
    'raw code of Jekyll within a line',
    '{% highlight html %}\n<a href="{% raw %}{{ a }}{%- endraw -%}">\n{% endhighlight %}',
    '<a href="{{ a }}">',
  ],
  ['raw code of Jekyll', '{% highlight html %}\n{% raw %}\n{{ a }}\n{% endraw %}\n{% endhighlight %}', '{{ a }}'],
  [
    'code of Jekyll that leaves its item',
    '- One\n\n  {% highlight rb %}\nputs 1\n  {% endhighlight %}\n\nSee *c*.',
    'One\nputs 1\nSee c.',
  ],
  [
    'code of Jekyll in a quote',
    '> {% highlight rb %}\n> puts *1*\n> {% endhighlight %}\n\nSee *c*.',
    'puts *1*\nSee c.',
  ],
  ['a tag of code in a line', '{% highlight rb %} one *two*\n{% endhighlight %}\n\nSee *c*.', 'one two\nSee c.'],
  ['a variable', 'At {{ site.url | escape }} now.', 'At now.'],
  ['an include of mdBook', 'Text.\n\n```rust\n{{#include ../a.rs:b}}\nfn main() {}\n```', 'Text.\nfn main() {}'],
  ['a filter in a link', "See the [guide]({{ '/docs/x/' | relative_url }}).", 'See the guide.'],
  [
    'filters in an image and a definition',
    'See ![a logo]({{ site.url }}{{ "/a b.png" | relative_url }}#x "c") and [d].\n\n[d]: {{ "/d" | relative_url }}',
    'See a logo and d.',
  ],
  ['an include of mdBook in text', 'One {{#include a.md}} two.', 'One two.'],
  [
    'an escaped include of mdBook',
    'Write \\{{#include a.rs}}.\n\n```\n\\{{#include b.rs}}\n```',
    'Write {{#include a.rs}}.\n\\{{#include b.rs}}',
  ],
  [
    'a listing of mdBook',
    '<Listing number="1-1" caption="A first program">\n\nText.\n\n</Listing>',
    'A first program\nText.',
  ],
  ['the text of a component', 'Then <LinkButton text="Start" href="/a" /> now.', 'Then Start now.'],
  ['the text of a badge', 'Is <Badge text="New" variant="tip" /> now.', 'Is now.'],
  ['attributes that Vue binds', 'Is <Badge :text="a + 1" v-bind:title="b" /> now.', 'Is now.'],
  ['wikilinks', 'See [[Notes/Tea#Kettle|the kettle]], [[Coffee]] and ![[a.png]].', 'See the kettle, Coffee and .'],
  ['comments of Obsidian', 'One [[a]] %%not this%% two.\n\n%%\nNor this.\n%%', 'One a two.'],
  ['a block id', 'See [[a]]. ^a1-b2', 'See a.'],
  ['attributes', 'Text.\n{: .note #id}\n\nMore.{.lead}', 'Text.\nMore.'],
  [
    'attributes of links, images and code',
    'A [link](x.md){ .md-button }, ![alt](a.png){ width="300" }, ![b](b.png){fig-alt="c"} and `d`{.sh}.',
    'A link, alt, b and d.',
  ],
  ['a span of Pandoc', 'Press [Ctrl]{.kbd} now.', 'Press Ctrl now.'],
  ['a cross-reference', 'See [the log][config.log].', 'See the log.'],
  ['an icon of a theme', 'Yes :material-check:{ .lg } indeed.', 'Yes indeed.'],
  ['icons behind marks', '__:material-check: Yes__ a/:octicons-x-16: No', 'Yes a/ No'],
  [
    'wikilinks to a heading',
    'See [[#Open it]], [[Notes#^ab1]] and [[Tea#Kettle]].',
    'See Open it, Notes and Tea Kettle.',
  ],
  [
    'a component of Nuxt',
    '::tip\nText.\n::\n\n:read-more{title="Modes" to="/x"}\n\nMore.',
    'tip\nText.\n Modes\nMore.',
  ],
  ['colons and a label without a name', 'So\n::[x]\n::[]', 'So\n::[x]\n::[]'],
  ['properties of a component', '::card\n---\ntitle: "The card"\nto: https://a.b\n---\nText.\n::', 'The card\nText.'],
  ['shown properties', '::a\n---\nalt: B\nsummary: C\nid: d\ncaption: "E"\n---\nText.\n::', 'B\nC\nE\nText.'],
  ['a block of slashes', '/// tip | Did you know\n    open: true\n\nText.\n\n///', 'tip Did you know\nText.'],
  ['a tab of slashes', '//// tab | Linux\n\nText.\n\n////', 'Linux\nText.'],
  ['an included file of FastAPI', 'Text.\n\n{* ../a.py hl[12] *}', 'Text.'],
  ['a callout of Quarto', '::: {.callout-tip appearance="simple" title="So"}\nText.\n:::', 'tip So\nText.'],
  ['a layout of Quarto', '::: {layout-ncol=2}\nText.\n:::', 'Text.'],
  ['another file', 'Text.\n\n:[the name](../a.md)', 'Text.'],
  ['a table of contents', '[[toc]]\n\nText.', 'Text.'],
  ['a definition whose label has brackets', 'Text.\n\n[`f(a[, b])`]: api.md#fa-b\n[`g([a])`]: api.md#ga', 'Text.'],
  ['a definition', 'See [`f()`].\n\n[`f()`]: api.md#f', 'See f().'],
  ['an included file', '<<< @/snippets/tea.js{2}\n\nText.', 'Text.'],
  ['a formula in a line', 'Let $a_i + b_i$ and $x * y * z$ be.', 'Let a_i + b_i and x * y * z be.'],
  ['the number of a formula', 'The $i$th of $n$s.', 'The ith of ns.'],
  ['a formula on a line', '$$x_1 = \\frac{a}{b}$$', 'x_1 = \\frac{a}{b}'],
  ['a formula of several lines', 'So\n$$\na_1\n- b_1\n= c\n$$\nholds.', 'So\na_1 - b_1 = c\nholds.'],
  ['a formula in a quote', '> So\n> $$\n> a_1\n> - b_1\n> $$\n> holds.', 'So\na_1 - b_1\nholds.'],
  ['a formula with line ends of Windows', 'So\r\n$$\r\na_1\r\n- b_1\r\n$$\r\nholds.', 'So\na_1 - b_1\nholds.'],
  ['a formula with a blank line', '> $$\n> a_1\n>\n> + {b_1}\n> $$', 'a_1 + {b_1}'],
  ['a table of HTML with blank lines', TABLE, 'One\n Two\n Three'],
  [
    'tags in a component',
    '<Page>\n  <PageTitle>\n    <b>One</b>\n  </PageTitle>\n\n    <i>Two</i>\n</Page>',
    'One\nTwo',
  ],
  [
    'a slot of Vue',
    '<Page>\n    <template #title>One</template>\n    <template #lead>Two</template>\n</Page>',
    'One\nTwo',
  ],
  [
    'definitions',
    'Tea\n:   Hot *water*.\n\n    With leaves.\n\nCoffee\n\n: Beans.',
    'Tea\nHot water.\nWith leaves.\nCoffee\nBeans.',
  ],
  ['a definition behind many blanks', 'Tea\n:      Hot *water*.\n:\tOr cold.', 'Tea\nHot water.\nOr cold.'],
  ['an admonition in a definition', 'Tea\n:   !!! tip "One"\n        *Two*.', 'Tea\ntip One\nTwo.'],
  ['code in a definition', 'Tea\n: ```js\n  : {% a %}\n  ```\n\n*b*', 'Tea\n: {% a %}\nb'],
  ['a grid table', GRID, 'a | b\nc | d e\nf g | h i *j*\nCaption'],
  [
    'a grid table in a quote',
    '> Text.\n>\n> +---+---+\n> | a | b |\n> +---+---+\n> | c | d |\n> +---+---+',
    'Text.\na | b\nc | d',
  ],
  ['a grid table without a head', 'x\n+---+---+\n| a | b |\n+---+---+\ny', 'x\na | b\ny'],
  [
    'a grid table whose head has two lines',
    '+---+---+\n| a | b |\n| c | d |\n+===+===+\n| e | f |\n+---+---+',
    'a c | b d\ne | f',
  ],
  ['a part of a grid table', '| a | b |\n+===+===+\n| c | d |\n+---+---+\n| e', 'a | b\nc | d\ne'],
  ['a grid table in a list', '1.  Text.\n\n    +---+\n    | a |\n    +---+\n    | b |\n    +---+', 'Text.\na\nb'],
  ['an image of HTML', 'See <img src="a.png" alt="the logo">.', 'See  the logo .'],
])('%s: what a reader sees is embedded', (_, text, read) => {
  expect(embedded(text)).toEqual([read]);
});

test.each([
  ['a name in angle brackets', 'Set `<tls_config>` or Vec<String>.', 'Set <tls_config> or Vec .'],
  ['braces', 'A {value} and {{ value }} and {#if}.', 'A {value} and {{ value }} and {#if}.'],
  [
    'a block of Handlebars',
    'A {{#if x}} b {{/if}}.\n\n```\n{{#if x}}\n{{#each y}}\n```',
    'A {{#if x}} b {{/if}}.\n{{#if x}}\n{{#each y}}',
  ],
  ['a string in braces', "Write {{ '/a' | relative_url }} (b).", "Write {{ '/a' | relative_url }} (b)."],
  ['the mark of a conflict', '<<<<<<< docs/tea\n\nText.', '<<<<<<< docs/tea\nText.'],
  ['angle brackets', '<<< here', '<<< here'],
  ['an arrow', 'f :: Int\n-> a list', 'f :: Int\n-> a list'],
  ['percent signs and a power', 'Write %% for one, %% twice, or 2 ^10', 'Write %% for one, %% twice, or 2 ^10'],
  ['brackets of a shell', 'Use `[[ -f a ]]` here.', 'Use [[ -f a ]] here.'],
  ['prices', 'From $5_a_ to $6 or US$7_b_$.', 'From $5_a_ to $6 or US$7_b_$.'],
  ['variables of a shell', 'Set $HOME/$USER, $a/\u0024{b} and $$.', 'Set $HOME/$USER, $a/\u0024{b} and $$.'],
  ['variables in prose', '- **$a_b_**: one\n- $c or $d_e_', '$a_b_: one\n$c or $d_e_'],
  ['an indented sample of HTML', 'So:\n\n    <table>\n\n    <tr>', 'So:\n<table>\n<tr>'],
  ['a rule alone', '+---+\n\n| a |\n| b |', '+---+\n| a |\n| b |'],
  ['a grid of code', 'Text.\n\n    +---+\n    | a |\n    +---+', 'Text.\n+---+\n| a |\n+---+'],
  ['a colon on a line', ': a\n\n\n: b:\n: c', ': a\n: b:\nc'],
  ['colons', 'See std::vec and a:b[c].', 'See std::vec and a:b[c].'],
  ['a ratio, a clock and a key', 'At 10:30:br, a :b{c} and {"d": 1}.', 'At 10:30:br, a :b{c} and {"d": 1}.'],
  ['two indices', 'Read m[i][j.k] and [a][b].', 'Read m[i][j.k] and [a][b].'],
  ['slashes', '/// a comment of Rust', '/// a comment of Rust'],
  ['code', '```\n{% raw %} <Tab> :::note {{< x >}} [[a]] %%b%%\n```', '{% raw %} <Tab> :::note {{< x >}} [[a]] %%b%%'],
])('text that resembles a flavour is embedded as it stands: %s', (_, text, read) => {
  expect(embedded(text)).toEqual([read]);
});

test('attributes of a heading are not in its breadcrumb, and the name of a parameter is', () => {
  expect(
    outline('# First { #first .a }\n\na\n\n## Then { data-x }\n\nb\n\n## Last {-}\n\nc\n\n## GET /a/{id}\n\nd'),
  ).toEqual(['First: a', 'First > Then: b', 'First > Last: c', 'First > GET /a/{id}: d']);
});

test('a heading in HTML is a heading, on one line or several', () => {
  expect(outline('<h1 align="center">Fastify</h1>\n\none')).toEqual(['Fastify: one']);
  expect(outline('<h1 align="center">\n  <img src="a.png" alt="Logo">\n  Fastify\n</h1>\n\none')).toEqual([
    'Fastify: one',
  ]);
});

test.each([
  ['<center><h1>Tool</h1></center>\n\none', ['Tool: one']],
  ['<div align="center"> <h2 align="center">Tool</h2> </div>\n\none', ['Tool: one']],
  ['# Tool\n\n<a name="use"></a><h2>Use</h2>\n\none', ['Tool > Use: one']],
  ['> <a name="use"></a><h2>Use</h2>\n>\n> one', ['Use: >\n> one']],
  ['# Tool\n\n<details><summary><h2>Use</h2></summary>\n\none\n\n</details>', ['Tool > Use: one\n\n</details>']],
  ['# Tool\n\n<details>\n<summary><h4>Use</h4></summary>\n\none\n\n</details>', ['Tool > Use: one\n\n</details>']],
  [
    '# Tool\n\n<table><tr><td><h2>Use</h2>it</td></tr></table>',
    ['Tool: <table><tr><td><h2>Use</h2>it</td></tr></table>'],
  ],
])('a heading in HTML may have other tags before it on its line, but those of a table: %s', (text, passages) => {
  expect(outline(text)).toEqual(passages);
});

test('removing marks keeps the offsets of everything after them', () => {
  fc.assert(
    fc.property(fc.oneof(documents, noise), fc.boolean(), (text, mdx) => {
      const { text: read } = asCommonMark(text, { mdx });
      expect(read).toHaveLength(text.length);
    }),
    { seed: 20, numRuns: 300 },
  );
});
