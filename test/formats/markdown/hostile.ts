/** A piece repeated up to a number of characters. */
const filled = (piece: string) => (size: number) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

/** Numbered pieces, up to a number of characters. */
const numbered = (piece: (i: number) => string) => (size: number) => {
  let text = '';
  for (let i = 0; text.length < size; i++) text += piece(i);
  return text.slice(0, size);
};

const frontMatter = (yaml: (size: number) => string) => (size: number) => `---\n${yaml(size - 20)}\n---\n\na text`;

/** Ordinary documentation, which hostile texts are compared with. */
export const prose = numbered(
  (i) =>
    `${i % 12 === 0 ? `## Heading ${i}\n\n` : ''}The quick brown fox ${i} configures \`max_connections\` and ` +
    `**retries** with [a link](https://example.com/${i}). It then continues with another sentence.\n\n`,
);

/** Texts of a number of characters that cost the most where an algorithm is worse than linear, by what they are of. */
export const HOSTILE: Readonly<Record<string, (size: number) => string>> = {
  'marks on one letter': (size) => `a${filled('\u0301\u0316')(size - 1)}`,
  'marks that stay': (size) => `a${filled('\u05b0\u0591')(size - 1)}`,
  'aliases in front matter': frontMatter(
    (size) => `a: &a [${filled('x, ')(size / 2)}]\n${filled('b: *a\n')(size / 2)}`,
  ),
  'deep front matter': frontMatter(filled('[')),
  'many fields in front matter': frontMatter(numbered((i) => `k${i}: v\n`)),
  'front matter without an end': (size) => `---\n${filled('a: b\n')(size - 4)}`,
  'emphasis that crosses': filled('*a_ '),
  'emphasis without an end': filled('**a '),
  'emphasis without a beginning': filled('a* '),
  'emphasis in emphasis': (size) => filled('*a ')(size / 2) + filled('a* ')(size / 2),
  'struck text without an end': filled('~a '),
  'struck text without a beginning': filled('a~ '),
  'quotes in quotes': filled('> '),
  'lines of deep quotes': filled(`${'> '.repeat(400)}a\n`),
  'lines that lazily continue a quote': (size) => `> a\n${filled('b\n')(size - 4)}`,
  'lists in lists': filled('- '),
  'lists in lists on lines': numbered((i) => `${' '.repeat((i % 200) * 2)}- a\n`),
  'a table of small cells': (size) => `|a|b|\n|-|-|\n${filled('|x|y|\n')(size - 12)}`,
  'a table of many columns': (size) => `${filled('|a')(size / 2)}|\n${filled('|-')(size / 2)}|\n`,
  'short rows of a wide table': (size) =>
    `${filled('|a')(Math.sqrt(size) * 2)}|\n${filled('|-')(Math.sqrt(size) * 2)}|\n${filled('|\n')(size)}`,
  'links without an end': filled('[a]('),
  brackets: filled('['),
  'brackets in brackets': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'images without an end': filled('![a]'),
  'references to one definition': (size) => `[a]: b\n\n${filled('[a]')(size - 8)}`,
  'definitions of one name': filled('[a]: b\n'),
  'definitions of many names': numbered((i) => `[a${i}]: b\n`),
  'references to one footnote': (size) => `[^a]: b\n\n${filled('[^a] ')(size - 9)}`,
  footnotes: numbered((i) => `[^${i}]: x\n`),
  headings: filled('# a\n'),
  'underlined headings': filled('a\n=\n'),
  'headings below long headings': (size) =>
    Array.from({ length: 5 }, (_, i) => `${'#'.repeat(i + 1)} ${filled('word ')(200)}\n\n`).join('') +
    filled('###### a\n')(size - 1040),
  'headings in quotes in quotes': numbered((i) => `${'> '.repeat(i % 100)}# heading ${i}\n`),
  'one endless line': filled('word '),
  'one endless word': filled('a'),
  'a word of many parts': filled('aB'),
  'words joined by dots': filled('a.'),
  'an endless Chinese word': filled('字'),
  'an endless Korean word': filled('가'),
  'an endless Thai word': filled('กา'),
  'an endless line of base64': (size) => `![a](data:image/png;base64,${filled('iVBORw0KGgoAAAAN')(size - 28)})`,
  comments: filled('a <!-- a --> '),
  'comments without an end': filled('<!-- '),
  'tags without an end': filled('<a '),
  scripts: filled('<script>'),
  fences: filled('```\n'),
  'one long fenced block': (size) => `\`\`\`\n${filled('x = 1;\n')(size - 8)}\`\`\`\n`,
  'code without an end': filled('`` ` '),
  dollars: filled('$'),
  'formulas without an end': filled('$a\\$ '),
  'formulas on lines without an end': filled('$$a\n\n'),
  'formulas on many lines': filled('$$\na\n$$\n'),
  'an image with a long text': (size) => `![${filled('word ')(size - 5)}](a)`,
  'a heading of an image with a long text': (size) => `# ![logo ${filled('- ')(size - 14)}x](a)`,
  'blanks behind the mark of an admonition': (size) => `!!!${filled(' ')(size - 4)}(`,
  'blanks behind the kind of an admonition': (size) => `!!! a${filled(' ')(size - 6)}(`,
  'the endless name of a component': (size) => `<A${filled('eo')(size - 3)}\0`,
  'the endless name of a directive': (size) => `:::${filled('-')(size - 4)}\u2028`,
  'blanks behind an include of a file': (size) => `<<</:${filled('\t')(size - 7)}\u2028}`,
  'tables of HTML without an end': filled('<table>\n\n    <td>'),
  'elements in elements': filled('<div>\n\n    <table>\n</table>\n'),
  'code of Liquid with one end': (size) => `${filled('{% highlight a %}\n')(size - 20)}\nx {% endhighlight %}`,
  'code of Hugo with one end': (size) => `${filled('{{< highlight a >}}\n')(size - 20)}\nx {{< /highlight >}}`,
  'blanks behind an include in code': (size) => `\`\`\`\n{{#include${filled(' ')(size - 14)}`,
  'variables in a link without an end': (size) => `[a](${filled('{{a}}')(size - 4)}`,
  'directives of MyST without an end': filled('```{note}\n'),
  'directives of MyST that others close': filled('````{note}\n:a: b\n```\n'),
  'roles of MyST without an end': (size) => `(a)=\n\n${filled('{a}`b <c>`` ')(size - 6)}`,
  'cells of Quarto': filled('```{r}\n#| fig-cap: "a\n#|   b"\n'),
  'many options of a cell': (size) => `\`\`\`{r}\n${filled('#| fig-cap: |\n#|   a\n')(size - 7)}`,
  'blanks behind the mark of an option': (size) => `\`\`\`{r}\n#|${filled(' ')(size - 11)}\nb`,
  'anchors between percent signs': filled('%{#a}% '),
  'shortcodes of code': filled('{{< code >}}\na\n{{< /code >}}\n'),
  'shortcodes of code without an end': filled('{{< code >}}\na\n'),
  'macros of MDN': filled('{{domxref("a", "b")}} '),
  'macros of MDN without an end': filled('{{domxref("a", '),
  'commands of Doxygen': filled('@ref a_b "c d" '),
  'references of Doxygen without an end': (size) => `@ref a_b\n${filled('@ref a_b "')(size - 9)}`,
  'code of Doxygen without an end': (size) => `@ref a_b\n${filled('@code\n')(size - 9)}`,
  'lines of Doxygen': (size) => `@ref a_b\n${filled('@anchor a\n')(size - 9)}`,
  'blanks behind a command of Doxygen': (size) => `@ref a_b\n@ref${filled(' ')(size - 14)}`,
  'tags in square brackets': filled('[div class="a"]\n[/div]\n'),
  'tags in square brackets without an end': filled('[div class="a" '),
  'plain tags in square brackets without an end': filled('[quote] '),
  'code between square brackets without an end': filled('[prism classes="a"]\n'),
  'blanks in a tag in square brackets': (size) => `[details=${filled(' a=')(size - 10)}]`,
  'descriptions of MDN': filled('- a\n  - : b\n'),
  'anchors between percent signs without an end': filled('%{#a'),
  'blank lines above front matter': (size) => `${filled('\r\n \n')(size - 16)}\n+++\na = 1\n+++\nb`,
  'blank lines above front matter without an end': (size) => `${filled('\r\n')(size - 14)}\n+++\na = 1\nb`,
  definitions: filled('a\n: b\n'),
  'a grid table': (size) => `+-+-+\n|a|b|\n+=+=+\n${filled('|c|d|\n|e|f|\n+-+-+\n')(size - 18)}`,
  'rules of grid tables': filled('+-+\n'),
  'a long row of a grid table': (size) => `+-+\n|a|\n+-+\n${filled('|b|\n')(size - 12)}`,
  'wide rows of a grid table': (size) =>
    `${filled('+-')(Math.sqrt(size) * 2)}+\n${filled('|a')(Math.sqrt(size) * 2)}|\n${filled('+-+\n|\n')(size)}`,
  entities: filled('&amp;'),
  escapes: filled('\\*'),
  'hard breaks': filled('a  \n'),
  'line ends': filled('\n'),
  blanks: (size) => `a${' '.repeat(size - 2)}b`,
  'blanks in a heading': (size) => `# a${' '.repeat(size - 5)}b`,
  'blanks before an anchor that does not end': (size) => `# a${' '.repeat(size - 5)}{#`,
  'markup without an end': (size) => `<div>\n${filled('<\n')(size - 6)}`,
  anchors: (size) => `# a ${filled('{#a} ')(size - 4)}`,
};
