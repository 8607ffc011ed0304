import fc, { type Arbitrary } from 'fast-check';

/** Texts of one construct: lines end with LF, the last line without. */
type Text = Arbitrary<string>;

const lines = (text: Text, { min = 1, max = 4 } = {}) =>
  fc.array(text, { minLength: min, maxLength: max }).map((each) => each.join('\n'));
const plain =
  'alpha beta. gamma? Über naïve 日本語の文。 한국어 العربية 😀 👩‍👩‍👧 e\u0301 | # 1. - > {value} $x^2$ &amp; \\* x_y_z'.split(
    ' ',
  );
const inline =
  '**bold** *it* ~~gone~~ `code` ``a`b`` [link](https://a.example/b) ![alt](a.png) [ref][r] [r] [^1] {#anchor}';
const html = '<b> </b> <br/> <!--note--> https://a.example/b_c www.a.example me@a.example <https://b.example> [!NOTE]';
const blank = ['a\tb', 'a\u00A0b', 'a\u2028b', '<!-- a note -->', '{{ value }}', 'averylongword'.repeat(9)];
const word: Text = fc.constantFrom(...plain, ...inline.split(' '), ...html.split(' '), ...blank);
const line: Text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));
const title: Text = fc.array(word, { minLength: 0, maxLength: 4 }).map((words) => words.join(' '));

const atx: Text = fc
  .record({ depth: fc.integer({ min: 1, max: 6 }), title, closing: fc.constantFrom('', ' #', ' ###  ', ' {#id-1}') })
  .map(({ depth, title, closing }) => `${'#'.repeat(depth)} ${title}${closing}`);
const setext: Text = fc
  .tuple(lines(line, { max: 2 }), fc.constantFrom('===', '---', '='))
  .map((parts) => parts.join('\n'));
const fence: Text = fc
  .record({
    mark: fc.constantFrom('```', '~~~', '````'),
    info: fc.constantFrom('', 'ts', 'js {1,2} title="a"', 'ts [a &amp; [b\\\\].c]'),
    code: lines(fc.oneof(line, fc.constantFrom('', '# no heading', '  indented', '```', '| a |')), { max: 12 }),
    closed: fc.boolean(),
  })
  .map(({ mark, info, code, closed }) => `${mark}${info}\n${code}${closed ? `\n${mark}` : ''}`);
const table: Text = fc.integer({ min: 1, max: 4 }).chain((columns) => {
  const row = fc
    .array(fc.constantFrom('a', 'b c', '`x`', '\\|', '日本', '[l](u)', ''), { minLength: columns, maxLength: columns })
    .map((cells) => `| ${cells.join(' | ')} |`);
  return fc
    .tuple(row, lines(row, { min: 0, max: 9 }))
    .map(([header, rows]) => [header, `|${' --- |'.repeat(columns)}`, rows].filter(Boolean).join('\n'));
});
const leaf: Text = fc.oneof(
  { weight: 5, arbitrary: lines(line) },
  { weight: 4, arbitrary: atx },
  setext,
  fence,
  table,
  lines(line).map((text) => text.replace(/^/gm, '    ')),
  lines(line).map((text) => text.replace(/^/gm, '\t')),
  fc.constantFrom(
    '<!-- a comment -->',
    '<!-- an open',
    '<div class="x">\n\ninside\n\n</div>',
    '<details>\n<summary>More</summary>\n</details>',
    '<img src="a.png" alt="b">',
    '<script>\nlet a = "</b>";\n</script>',
    '<?php ?>',
  ),
  fc.constantFrom(
    '***',
    '---',
    '- - -',
    '[r]: https://r.example "R"',
    "[ref]: <a b>\n  't'",
    '![a](b.png) ![c][r]',
    ':::tip Title\ninside\n:::',
    '> [!WARNING]\n> careful',
    '$$\nx_1\n- y_1\n\n= z\n$$',
    'a $$x_1$$ b $y * z$ c $w_1$',
    '<table>\n\n    <tr>\n\n      <td>a</td>\n\n    </tr>\n</table>',
  ),
  fc.constantFrom(
    "import Tabs from './tabs'",
    'export const a = 1;',
    '<Tabs items={["a", "b"]}>\n\n<Tab>\n\ninside\n\n</Tab>\n</Tabs>',
    '{/* an MDX comment */}',
  ),
);

const { blocks } = fc.letrec<{ block: string; blocks: string; list: string; quote: string; footnote: string }>(
  (tie) => ({
    block: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'block' },
      { weight: 8, arbitrary: leaf },
      { weight: 2, arbitrary: tie('list') },
      tie('quote'),
      tie('footnote'),
    ),
    blocks: fc
      .array(fc.tuple(tie('block'), fc.constantFrom('\n\n', '\n\n', '\n', '\n\n\n', '\n \t\n')), {
        minLength: 1,
        maxLength: 8,
        depthIdentifier: 'block',
      })
      .map((parts) => parts.flat().slice(0, -1).join('')),
    list: fc
      .tuple(
        fc.constantFrom('- ', '* ', '1. ', '10) ', '-\t', '- [ ] ', '-\n  '),
        fc.array(tie('blocks'), { minLength: 1, maxLength: 3, depthIdentifier: 'block' }),
        fc.constantFrom('\n', '\n\n'),
      )
      .map(([mark, items, between]) => items.map((item) => indent(item, mark)).join(between)),
    quote: fc.tuple(fc.constantFrom('> ', '>', '>\t'), tie('blocks')).map(([mark, text]) => text.replace(/^/gm, mark)),
    footnote: tie('blocks').map((text) => indent(text, '[^1]: ', '    ')),
  }),
);

function indent(text: string, mark: string, by = ' '.repeat(mark.trimEnd().length + 1)): string {
  return mark + text.replace(/\n(?=[^\n])/g, `\n${by}`);
}

const front: Text = fc.constantFrom(
  ...[
    '',
    '',
    '',
    '---\ntitle: A title\ntags: [a, b]\n---\n\n',
    '---\ntitle: "[unclosed\n---\n',
    '---\n---\n',
    '+++\ntitle = "T"\n+++\n',
    '---\nplain text\n---\n\n',
    '---\nno end\n',
  ],
);

/** Documents of nested markdown constructs, with LF only. */
export const documents: Text = fc
  .tuple(front, blocks, fc.constantFrom('', '\n', '\n\n \n'))
  .map((parts) => parts.join(''));

/** Documents as files store them: with or without byte order marks, with LF, CRLF, CR or a mixture. */
export const files: Text = fc
  .tuple(
    fc.constantFrom('', '', '\uFEFF', '\uFEFF\uFEFF'),
    documents,
    fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 1, maxLength: 4 }),
  )
  .map(([mark, text, endings]) => {
    let i = 0;
    return mark + text.replace(/\n/g, () => endings[i++ % endings.length] ?? '\n');
  });

/** Random sequences of characters that mean something in markdown. */
export const noise: Text = fc
  .array(
    fc.constantFrom(
      ...'#>-*_`|[]()<>!:+=~.1a \\{}&$^"\n\n\n\r\t'.split(''),
      '\r\n',
      '    ',
      '```',
      '<!--',
      '-->',
      '[^1]:',
      '---\n',
      '| - |\n',
      '\uFEFF',
      '\0',
      '\uD83D',
      '\uDE00',
      '😀',
      '日',
      'e\u0301',
      '\u2028',
      'word ',
    ),
    { maxLength: 120 },
  )
  .map((parts) => parts.join(''));
