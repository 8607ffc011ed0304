import type { Nodes } from 'mdast';
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
  const tree = treeOf(text, { mdx });
  return [
    ...slices(text, file),
    ...lineNumbers(text, file),
    ...lengths(file, options),
    ...coverage(text, { ...file, ...tree }),
    ...breadcrumbs({ ...file, ...tree }),
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

/** Passages, heading lines and front matter cover all words but those that nobody sees. */
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

/** What nobody sees, as simple as its marks can be told from the rest. */
const UNSEEN = [
  /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)|\{\/\*[\s\S]*?\*\/\}|<\?[\s\S]*?\?>/gi,
  /\{%-?\s*comment\s*-?%\}[\s\S]*?\{%-?\s*endcomment\s*-?%\}/g,
  /^(?:import|export)\b.*(?:[\n\r].+)*/gm,
  /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)/g,
  // Also over the lines of a quotation.
  /<[A-Z]\w*(?:[^"'>\n]|"[^"]*"|'[^']*'|\n(?:[ \t]*>)?)*>/gi,
  /\{%[\s\S]*?%\}|\{\{[\s\S]*?\}\}|\{[^{}]*\}|<[^<>]*>/g,
  /^[ \t>*+\d.)-]*\[[^\]]+\]:(?:[ \t]*(?:\r\n?|\n))?.*(?:(?:\r\n?|\n)[ \t>]*(?:"[^"]*"|'[^']*'))?$/gm,
  /^[ \t>*+\d.)-]*(?:```|~~~).*$/gm,
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
function breadcrumbs({ passages, title, headings }: ParsedFile & Tree): string[] {
  return passages.flatMap(({ breadcrumb, end }, i) =>
    breadcrumb
      .filter((crumb) => crumb !== title && !headings.some((h) => isNameOf(words(crumb), h) && h.start < end))
      .map((crumb) => `passage ${i} is below ${JSON.stringify(crumb)}, which is no heading above it`),
  );
}

/** Images name a heading without words by a part of their texts. */
function isNameOf(name: string, heading: Tree['headings'][number]): boolean {
  return heading.words === '' ? heading.ofImages.includes(name) : heading.words === name;
}

interface Tree {
  /** Where the front matter ends. */
  readonly front: number;
  readonly headings: readonly { start: number; end: number; words: string; ofImages: string }[];
}

const COMMENT = /<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}|^<(script|style)\b[\s\S]*?<\/\1\s*>/gim;

/** Front matter and headings, found without the code under test. */
function treeOf(text: string, { mdx }: { mdx: boolean }): Tree {
  const body = text.replace(/^\uFEFF+/, '').replace(COMMENT, (mark) => mark.replace(/[^\n\r]/g, '%'));
  const shift = text.length - body.length;
  const root = processorFor({ mdx, hasFrontMatter: frontMatterEnd(body) > 0 }).parse(
    body.replace(/^([ \t>]*(?:[-*+] +|\d+[.)] +)?)%[% \t]*$/gm, (line) => line.replaceAll('%', ' ')),
  );
  const [first] = root.children;
  const offset = (point: { offset?: number | undefined } | undefined) => (point?.offset ?? 0) + shift;
  return {
    front: first && ['yaml', 'toml'].includes(first.type) ? offset(first.position?.end) : 0,
    headings: headingsOf(root).map((heading) => ({
      start: offset(heading.position?.start),
      end: offset(heading.position?.end),
      words: words(namesOf(heading)),
      ofImages: words(namesOf(heading, { images: true })),
    })),
  };
}

function headingsOf(node: Nodes): Nodes[] {
  if (node.type === 'heading') return [node];
  return 'children' in node ? node.children.flatMap(headingsOf) : [];
}

function namesOf(heading: Nodes, options = { images: false }): string {
  return textOf(heading, options).replace(/\{#[\w.:-]+\}\s*$/, '');
}

function textOf(node: Nodes, options: { images: boolean }): string {
  if (node.type === 'html') return node.value.replace(/<!--[\s\S]*?(?:-->|$)|<[^>]*>/g, ' ');
  if ('value' in node) return node.value;
  // An image that is left out still stands behind an anchor, which then isn't at the end.
  if ('alt' in node) return options.images ? (node.alt ?? '') : '\uFFFC';
  return 'children' in node ? node.children.map((child) => textOf(child, options)).join('') : '';
}

/** Letters and digits only: markup and whitespace are tested with the readable text. */
function words(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}
