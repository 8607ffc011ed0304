import fc, { type Arbitrary } from 'fast-check';

/** A page as its author wrote it, and as plain CommonMark with the same words. */
export interface Page {
  /** Every mark that a reader does not see holds the word `zzz`. */
  readonly flavoured: string;
  readonly plain: string;
}

type Pair = readonly [flavoured: string, plain: string];

/** Runs of text with the marks of flavours. */
const RUNS: readonly Pair[] = [
  ['the [[zzz|wiki]] link', 'the wiki link'],
  ['a <!-- zzz --> comment', 'a comment'],
  ['the {{ zzz.zzz }} value', 'the value'],
  ['a [page]({% zzz "a b" %}) link', 'a page link'],
  ['let $x_a * y_b$ be', 'let `x_a * y_b` be'],
  ['an <a id="zzz"></a> anchor', 'an anchor'],
  ['a {/* zzz */} remark', 'a remark'],
  ['some [lead]{.zzz} words', 'some lead words'],
];

/** What a block stands in. */
const FRAMES: readonly ((block: string) => string)[] = [
  (block) => `<!-- zzz -->\n\n${block}`,
  (block) => `<a id="zzz"></a>\n\n${block}`,
  (block) => `::: zzz\n\n${block}\n\n:::`,
  (block) => `{{< zzz >}}\n\n${block}\n\n{{< /zzz >}}`,
  (block) => `{% zzz %}\n${block}\n{% endzzz %}`,
  (block) => `<ZzzBox zzz={1}>\n\n${block}\n\n</ZzzBox>`,
  (block) => `${block}\n{: .zzz}`,
];

const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'naïve', 'Kettle', 'v1.2', '`max_size`');
const words = fc.array(word, { minLength: 3, maxLength: 9 }).map((each) => each.join(' '));
const plain: Arbitrary<Pair> = words.map((text) => [text, text]);
const run: Arbitrary<Pair> = fc.oneof({ weight: 2, arbitrary: plain }, fc.constantFrom(...RUNS));
const sentence = fc.array(run, { minLength: 1, maxLength: 3 }).map((runs) => joined(runs, ' '));
const paragraph = fc.array(sentence, { minLength: 1, maxLength: 4 }).map((each) =>
  joined(
    each.map(([a, b]): Pair => [`${capital(a)}.`, `${capital(b)}.`]),
    ' ',
  ),
);
const lines = (text: Arbitrary<Pair>, most: number) => fc.array(text, { minLength: 1, maxLength: most });

/** Blocks with a first line that the word `first` marks. */
const list = lines(run, 8).map((items) =>
  joined(
    numbered(items).map(([a, b], i): Pair => [`${i + 1}. ${a}`, `${i + 1}. ${b}`]),
    '\n',
  ),
);
const table = lines(run, 12).map((cells) =>
  joined(
    [both('| cell | more |\n|---|---|'), ...numbered(cells).map(([a, b]): Pair => [`| ${a} | c |`, `| ${b} | c |`])],
    '\n',
  ),
);
const code = lines(plain, 14).map((rows) => joined([both('```sh'), ...numbered(rows), both('```')], '\n'));
const formula = words
  .filter((text) => !text.includes('`'))
  .map((text): Pair => [`$$\nx_1 = ${text}\n- y_1\n$$`, `\`\` x_1 = ${text} - y_1 \`\``]);

/** A block below a sentence that ends in a colon. */
const introduced = fc
  .oneof(list, table, code)
  .map(([a, b]): Pair => [`This introduces it:\n\n${a}`, `This introduces it:\n\n${b}`]);
const block = fc.oneof({ weight: 3, arbitrary: paragraph }, list, table, code, formula, {
  weight: 3,
  arbitrary: introduced,
});
const framed = fc
  .tuple(block, fc.option(fc.constantFrom(...FRAMES)))
  .map(([[a, b], frame]): Pair => [frame ? frame(a) : a, b]);
const section = fc
  .tuple(words, fc.integer({ min: 1, max: 3 }), fc.array(framed, { minLength: 1, maxLength: 4 }))
  .map(([title, depth, blocks]) =>
    joined([[`${'#'.repeat(depth)} ${title} {#zzz}`, `${'#'.repeat(depth)} ${title}`], ...blocks], '\n\n'),
  );

/** Pages of documentation: sections of paragraphs, lists, tables, code and formulas, in flavours of markdown. */
export const pages: Arbitrary<Page> = fc
  .array(section, { minLength: 1, maxLength: 4 })
  .map((sections) => joined(sections, '\n\n'))
  .map(([flavoured, text]) => ({ flavoured, plain: text }));

function joined(pairs: readonly Pair[], between: string): Pair {
  return [pairs.map(([a]) => a).join(between), pairs.map(([, b]) => b).join(between)];
}

function both(text: string): Pair {
  return [text, text];
}

function numbered(pairs: readonly Pair[]): Pair[] {
  return pairs.map(([a, b], i): Pair => (i === 0 ? [`first ${a}`, `first ${b}`] : [a, b]));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
