import type { Html, Nodes } from 'mdast';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { type Processor, unified } from 'unified';
import { frontMatterEnd } from '#src/formats/markdown/front-matter-end.js';
import type { ParsedFile, ParseOptions } from '#src/formats/parser.js';

const NOT_IN_MDX = ['htmlFlow', 'htmlText', 'codeIndented'];

/** What looks for the end of front matter finds no quotes and lists before it, also where there is no end. */
function processorFor({ mdx, hasFrontMatter }: { readonly mdx: boolean; readonly hasFrontMatter: boolean }) {
  return unified()
    .use(remarkParse)
    .use(remarkFrontmatter, hasFrontMatter ? ['yaml', 'toml'] : [])
    .use(remarkGfm)
    .use(function (this: Processor) {
      const data = this.data();
      const disable = { null: mdx ? NOT_IN_MDX : [] };
      data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable }];
    })
    .freeze();
}

/** The violated invariants of a parsed file, one sentence each. */
export function violations(
  text: string,
  file: ParsedFile,
  { mdx = false, ...options }: ParseOptions & { readonly mdx?: boolean },
): string[] {
  const { front, headings: certain, possible } = treeOf(text, { mdx });
  const names = new Set(file.passages.flatMap(({ breadcrumb }) => breadcrumb.map(words)));
  const tree = {
    front,
    headings: [...certain, ...possible.filter((heading) => NAMES.some((name) => names.has(heading[name])))],
  };
  return [
    ...slices(text, file),
    ...lineNumbers(text, file),
    ...lengths(file, options),
    ...coverage(text, { ...file, ...tree }),
    ...breadcrumbs(text, { ...file, ...tree }),
  ];
}

/** The same for a text whose headings would take a parser too long to find. */
export function cutViolations(
  text: string,
  file: Cut,
  options: Pick<ParseOptions, 'maxTokens' | 'countTokens'>,
): string[] {
  return [...slices(text, file), ...lineNumbers(text, file), ...lengths(file, options), ...halves(file)];
}

type Cut = { readonly passages: readonly Omit<ParsedFile['passages'][number], 'readable'>[] };

function halves({ passages }: Cut): string[] {
  const broken = ({ text, breadcrumb }: Cut['passages'][number]) =>
    !text.isWellFormed() || !breadcrumb.join().isWellFormed();
  return passages.flatMap((passage, i) => (broken(passage) ? [`passage ${i} has half a surrogate pair`] : []));
}

function slices(text: string, { passages }: Cut): string[] {
  const found: string[] = [];
  let last = 0;
  for (const [i, { position, start, end }] of passages.entries()) {
    const name = `passage ${i} [${start}, ${end})`;
    if (position !== i) found.push(`${name} has position ${position}`);
    if (start < last) found.push(`${name} starts before ${last}`);
    if (end > text.length) found.push(`${name} ends behind the text`);
    if (text.slice(start, end).trim() === '') found.push(`${name} is empty`);
    for (const border of [start, end]) {
      if (/^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(border - 1, border + 1)))
        found.push(`${name} cuts a surrogate pair`);
      if (text.slice(border - 1, border + 1) === '\r\n') found.push(`${name} cuts a line ending`);
    }
    last = end;
  }
  return found;
}

function lineNumbers(text: string, { passages }: Cut): string[] {
  const lineAt: number[] = [];
  let line = 1;
  for (let i = 0; i < text.length; i++) {
    lineAt.push(line);
    const ends = text[i] === '\n' || (text[i] === '\r' && text[i + 1] !== '\n');
    if (ends) line++;
  }
  return passages.flatMap(({ start, end, startLine, endLine }, i) => {
    const [first, last] = [lineAt[start], lineAt[end - 1]];
    return startLine === first && endLine === last ? [] : [`passage ${i} is on lines ${first} to ${last}`];
  });
}

/** Passages, heading lines and front matter cover all words except those that no reader sees. */
function coverage(text: string, { passages, front, headings }: ParsedFile & Tree): string[] {
  const rest = UNSEEN.reduce((seen, mark) => seen.replace(mark, (one) => one.replace(/[^\n\r]/g, ' ')), text).split('');
  const clear = (start: number, end: number) => rest.fill(' ', start, end);
  for (const { start, end } of passages) clear(start, end);
  clear(0, front);
  for (const { start, end } of headings) {
    // The markers of lists and blockquotes that a heading opens belong to it, on its own line or on those above.
    const [marks = ''] = /(?:^|[\n\r])(?:[\s>*+.)\d-]|\[\^[^\n\r\]]+\]:)*$/.exec(rest.slice(0, start).join('')) ?? [];
    clear(start - marks.length, end);
  }
  const left = rest.join('').trim();
  return !/[\p{L}\p{N}]/u.test(left)
    ? []
    : [`in no passage: ${JSON.stringify(left.replace(/\s+/g, ' ').slice(0, 200))}`];
}

/** What no reader sees, by the simplest patterns that distinguish its marks from the rest. */
const UNSEEN = [
  /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)|\{\/\*[\s\S]*?\*\/\}|<\?[\s\S]*?\?>/gi,
  /\{%-?\s*comment\s*-?%\}[\s\S]*?\{%-?\s*endcomment\s*-?%\}/g,
  /^\uFEFF*(?:import|export)\b[^\n\r]*(?:(?:\r\n?|\n)[^\n\r]+)*/gm,
  /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)/g,
  // Also over the lines of a quotation.
  /<[A-Z]\w*(?:[^"'>\n]|"[^"]*"|'[^']*'|\n(?:[ \t]*>)?)*>/gi,
  /\{%[\s\S]*?%\}|\{\{[\s\S]*?\}\}|\{[^{}]*\}|<[^<>]*>/g,
  /^\uFEFF*[ \t>*+\d.)-]*\[[^\]]+\]:(?:[ \t]*(?:\r\n?|\n))?.*(?:(?:\r\n?|\n)[ \t>]*(?:"[^"]*"|'[^']*'))?$/gm,
  /^[ \t>*+\d.)-]*(?:```|~~~).*$/gm,
  // The number of an item without words.
  /^[ \t>]*\d+[.)][ \t]*$/gm,
  /\]\(<?[^()\s]*>?(?:\s+"[^"]*")?\)|!\[\]\[\w*\]|&nbsp;/g,
];

function lengths(
  { passages }: Cut,
  { maxTokens, countTokens }: Pick<ParseOptions, 'maxTokens' | 'countTokens'>,
): string[] {
  return passages.flatMap(({ text }, i) => {
    const tokens = countTokens(text);
    return text.trim() !== '' && tokens <= maxTokens ? [] : [`passage ${i} is embedded with ${tokens} tokens`];
  });
}

/** Breadcrumbs consist of the file's headings and title, and name no heading further down. */
function breadcrumbs(text: string, { passages, title, headings }: ParsedFile & Tree): string[] {
  const isNamed = INDENTED_FENCE.test(text) ? isLooselyNameOf : isNameOf;
  return passages.flatMap(({ breadcrumb, end }, i) =>
    breadcrumb
      .filter((crumb) => crumb !== title && !headings.some((h) => isNamed(words(crumb), h) && h.start < end))
      .map((crumb) => `passage ${i} is below ${JSON.stringify(crumb)}, which is no heading above it`),
  );
}

/** A heading without words is named by a part of its images' texts, or by its id. */
function isNameOf(name: string, heading: Heading): boolean {
  if (heading.words === '') return heading.otherwise.includes(name);
  return heading.words === name || heading.withoutBraces === name;
}

/** A fence of a list item. The end of the item, which ends it, is not looked for: a heading there may keep its id. */
const INDENTED_FENCE = /^ {1,3}(?:```|~~~)/m;

function isLooselyNameOf(name: string, heading: Heading): boolean {
  return isNameOf(name, heading) || heading.otherwise === name;
}

interface Tree {
  /** Where the front matter ends. */
  readonly front: number;
  readonly headings: readonly Heading[];
}

interface Heading {
  readonly start: number;
  readonly end: number;
  readonly words: string;
  /** Those outside of braces, which are an expression if the text turns out to be MDX. */
  readonly withoutBraces: string;
  /** Words of its images and of its id. */
  readonly otherwise: string;
}

const NAMES = ['words', 'withoutBraces', 'otherwise'] as const;

const COMMENT = /<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}|^<(script|style)\b[\s\S]*?<\/\1\s*>/gim;

const ITEM = /(?:^|[\n\r])[ \t>]*(?:[-*+]|\d+[.)]) +$/;

/** A formula of several lines, which may look like the marks of blocks. */
const FORMULA = /\$\$[^$]*\$\$/g;

/** A line of tags and expressions alone, which parts the blocks around it if the text turns out to be MDX. */
const LINE_OF_TAGS = /(?:^|[\n\r])[ \t>]*(?:<[^<>]*>|\{[^{}]*\}|[ \t])+(?=[\n\r])/;

/** Front matter, headings, and those that some readers do not see, found without the code under test. */
function treeOf(text: string, { mdx }: { mdx: boolean }): Tree & { readonly possible: readonly Heading[] } {
  const source = text.replace(/^\uFEFF+/, '');
  const shift = text.length - source.length;
  const front = frontMatterEnd(source);
  const below = source.slice(front).replace(COMMENT, (mark, _, at: number, all: string) => {
    const isItem = ITEM.test(all.slice(0, at)) && /^[ \t]*(?:[\n\r]|$)/.test(all.slice(at + mark.length));
    // An item of nothing would end at the next blank line.
    return isItem && /^<!--.*$/.test(mark) ? mark : mark.replace(/[^\n\r]/g, '%');
  });
  const body = source.slice(0, front) + below;
  const parse = (variant: string) =>
    processorFor({ mdx, hasFrontMatter: front > 0 }).parse(
      variant.replace(/^([ \t>]*(?:[-*+] +|\d+[.)] +)?)%[% \t]*$/gm, (line) => line.replaceAll('%', ' ')),
    );
  const root = parse(body);
  const [first] = root.children;
  const offset = (point: { offset?: number | undefined } | undefined) => (point?.offset ?? 0) + shift;
  const headingOf = (heading: Nodes, at = 0): Heading => ({
    start: at + offset(heading.position?.start),
    end: at + offset(heading.position?.end),
    ...namesOf(heading),
  });
  // If the tags of HTML are those of a component, there is markdown in it.
  const inTags = htmlOf(root).flatMap(({ position }) => {
    const [start = 0, end = 0] = [position?.start.offset, position?.end.offset];
    const inner = body.slice(start, end).replace(/<[^<>]*>/g, (tag) => tag.replace(/[^\n\r]/g, ' '));
    return headingsOf(processorFor({ mdx: true, hasFrontMatter: false }).parse(inner)).map((one) =>
      headingOf(one, start),
    );
  });
  const plain = parse(source);
  // A formula is one text, although its lines may look like the marks of blocks.
  const joined = body.replace(FORMULA, (one) => one.replace(/(?:\r\n?|\n)[ \t>]*/g, (end) => ' '.repeat(end.length)));
  const others = [...(hasCommentOverBlocks(source, plain) ? headingsOf(plain) : []), ...headingsOf(parse(joined))];
  const belowTags = headingsOf(root).flatMap((heading) => {
    const { end, ...whole } = headingOf(heading);
    const [rest = '', above] = body
      .slice(whole.start - shift, end - shift)
      .split(LINE_OF_TAGS)
      .reverse();
    return above === undefined ? [] : [{ start: end - rest.length, end, ...namesOf(parse(rest)) }];
  });
  return {
    front: first && ['yaml', 'toml'].includes(first.type) ? offset(first.position?.end) : 0,
    headings: headingsOf(root).map((heading) => headingOf(heading)),
    possible: [...inTags, ...belowTags, ...others.map((heading) => headingOf(heading))],
  };
}

function namesOf(heading: Nodes): Pick<Heading, (typeof NAMES)[number]> {
  return {
    words: words(nameOf(heading)),
    withoutBraces: words(nameOf(heading).replace(/\{[^{}]*\}/g, '')),
    otherwise: words(textOf(heading, { images: true })),
  };
}

/** Whether a comment ends where the block that it begins in has ended: CommonMark then reads what is between. */
function hasCommentOverBlocks(source: string, plain: Nodes): boolean {
  const html = htmlOf(plain).map(({ position }) => [position?.start.offset ?? 0, position?.end.offset ?? 0] as const);
  return [...source.matchAll(COMMENT)].some(
    ({ index, 0: one }) => !html.some(([start, end]) => start <= index && index + one.length <= end),
  );
}

function htmlOf(node: Nodes): Html[] {
  if (node.type === 'html') return [node];
  return 'children' in node ? node.children.flatMap(htmlOf) : [];
}

function headingsOf(node: Nodes): Nodes[] {
  if (node.type === 'heading') return [node];
  return 'children' in node ? node.children.flatMap(headingsOf) : [];
}

function nameOf(heading: Nodes): string {
  return textOf(heading, { images: false }).replace(/\{#[\w.:-]+\}[ \t]*$/gm, '');
}

/** A tag or an image that is left out still follows an anchor, which then is not at the end. */
function textOf(node: Nodes, options: { images: boolean }): string {
  if (node.type === 'html') return node.value.replace(/<!--[\s\S]*?(?:-->|$)/g, ' ').replace(/<[^>]*>/g, '\uFFFC');
  if ('value' in node) return node.value;
  if ('alt' in node) return options.images ? (node.alt ?? '') : '\uFFFC';
  return 'children' in node ? node.children.map((child) => textOf(child, options)).join('') : '';
}

/** Letters and digits only: markup and whitespace are tested with the readable text. */
function words(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}
