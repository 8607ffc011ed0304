import type { Edits } from './edits.js';
import { directiveEnd } from './generators/docc.js';
import { beginsWithExtension } from './generators/docfx.js';
import { hideLogseq } from './generators/logseq.js';
import { KINDS } from './kinds.js';
import { prefixLength } from './places.js';
import { hideExceptShown, SHOWN_NAMES } from './tags.js';

/** A line without its end, and where it starts. */
export interface Line {
  readonly text: string;
  readonly start: number;
}

/** `:::tip Title`, `::: tip`, `:::note[Title]{.open}`, `:::{note}`, `::: {.callout-tip}`, and `:::` alone. */
const CONTAINER = /^([ \t>]*:{3,}[ \t]*)(\{[\w-]+\}|[\w-]*)([^\r\n]*)$/;

/** `:::zone pivot="a"` */
const PAIRS = /^(?:[ \t]+[\w-]+="[^"]*")+[ \t]*$/;

/** `::youtube[Title]{#id}` on a line of its own; `::tip`, and the `::` that ends it. */
const LEAF = /^([ \t>]*::)(?:([a-z][\w-]*)((?:\[[^\]]*\])?(?:\{[^}]*\})?))?[ \t]*$/;

/** `/// tip | Title`, and the `///` that ends it. */
const SLASHES = /^([ \t>]*\/{3,}[ \t]*)(?:([a-z][\w-]*)([ \t]*\|[ \t]*|[ \t]*$)([^\r\n]*))?$/;

/** The properties of a component in the lines after it: `---`, lines of YAML, `---`. */
const PROPERTY = String.raw`[ \t]*(?:[\w-]+:|- |#)[^\r\n]*(?:\r\n?|\n)`;
const PROPERTIES = new RegExp(
  String.raw`(?:\r\n?|\n)[ \t]*---[ \t]*(?:\r\n?|\n)(?:${PROPERTY}){0,50}[ \t]*---[ \t]*(?=[\r\n]|$)`,
  'y',
);

/** The options of a block of slashes in the lines after it. */
const OPTIONS = /(?:(?:\r\n?|\n) {4}(?:attrs|new|open|select|title|type):[^\r\n]*){1,5}/y;

/** Properties that a reader sees. */
const SHOWN_PROPERTY = new RegExp(
  String.raw`(?<=[\r\n])[ \t]*(?:${SHOWN_NAMES.join('|')}):[ \t]*(["']?)([^\r\n"'>|].*?)\1[ \t]*$`,
  'gm',
);

/** The class of a callout of Quarto. */
const CALLOUT = /^\{[^{}]*?\.callout-([a-z]+)/;

/** The kinds of an admonition; a word that begins with a capital is alone, and more of them are text. */
const WORDS = String.raw`\p{Lu}[\w-]*|(?!\p{Lu})[\w-]+(?:[ \t]+[\w-]+)*`;

/** `!!! note "Title"`, `??? tip`, `???+ tip`, `=== "Tab"`: what belongs to it is indented by four columns. */
const INDENTED = new RegExp(
  String.raw`^([ \t]*)(!!!|\?\?\?\+?|===\+?!?)([ \t]+)(?![ \t])(${WORDS})?(?:([ \t]*)("[^"]*"))?[ \t]*$`,
  'u',
);

/** Lines that are replaced by something else: an excerpt of a file, a list of the headings. */
const REPLACED = [
  String.raw`\{\*[^\r\n]*\*\}`,
  String.raw`<<<[ \t]*[^\s/<]*\/\S[^\r\n]*`,
  String.raw`@\[code[^\]\r\n]*\]\([^()\r\n]*\)`,
  String.raw`-+8<-+[ \t]+["'][^\r\n]*`,
  String.raw`\[\[_?(?:toc|tosp)_?\]\]|\[toc\]|\{:\s*toc\s*\}`,
];
const PLACEHOLDER = new RegExp(`^[ \\t>]*(?:${REPLACED.join('|')})[ \\t]*$`, 'i');

/** The marks of a paragraph in a box, such as `?> `, `-> ` and `!! `, and that of a tab, `@tab A`. */
const MARKS_OF_LINES = [
  '[?!~]>',
  String.raw`->(?=[ \t]+(?:\*\*|\p{Lu}))`,
  String.raw`!{2,4}(?=[ \t])`,
  String.raw`(?<![ \t])!(?= (?:\*\*|\p{Lu}))`,
  String.raw`@tab(?:[:#][\w-]+)*`,
];
const MARK_OF_LINE = new RegExp(String.raw`^([ \t]*)(?:${MARKS_OF_LINES.join('|')})[ \t]+(?=\S)`, 'u');

/** `:[name](../a.md)`, another file in its place. */
const TRANSCLUSION = /^[ \t>]*:\[[^\]\r\n]*\]\([^()\r\n]*\)[ \t]*$/;

/** `> [!NOTE]`, `> [!tip]- Title`. */
const ALERT = /^([ \t]*(?:>[ \t]*)+)(\[!)([\w-]+)(\][+-]?)/;

/** `{: .class #id }` on a line of its own, for the block above it. */
const ATTRIBUTES = /^[ \t>]*\{(?!::comment\}):?[ \t]*[#.:][^{}]*\}[ \t]*$/;

/** `[`f(a[, b])`]: target`, meant as the definition of a link: CommonMark allows no brackets in its label. */
const DEFINITION = /^ {0,3}\[`([^`]*)`\]:[ \t]+\S+[ \t]*$/;

/** What the marks of lines are hidden with. */
export interface LineReading {
  readonly source: string;
  readonly edits: Edits;
  /** Hides the marks inside of [start, end), such as those in a title. */
  readonly readMarks: (start: number, end: number) => void;
}

/** Hides the marks that take up the beginning of a line or all of it. Returns the offset up to which it is read. */
export function hideLineMarks({ text, start }: Line, reading: LineReading): number {
  const { edits, source } = reading;
  const end = start + text.length;
  const [before, indent = ''] = MARK_OF_LINE.exec(text) ?? [];
  if (before !== undefined && !INDENTED.test(text)) {
    edits.hide(start + indent.length, start + before.length);
    return start + before.length;
  }
  const directive = directiveEnd(source, start);
  if (directive > start) {
    edits.hide(start, directive);
    return directive;
  }
  if ([PLACEHOLDER, TRANSCLUSION, ATTRIBUTES].some((mark) => mark.test(text)) || isBracketedDefinition(text)) {
    edits.hide(start, end);
    return end;
  }
  return (
    hideAlert({ text, start }, edits) ??
    hideContainer({ text, start }, reading) ??
    hideSlashes({ text, start }, reading) ??
    hideIndented({ text, start }, reading) ??
    hideLogseq({ text, start }, edits) ??
    start
  );
}

function isBracketedDefinition(text: string): boolean {
  const [, label = ''] = DEFINITION.exec(text) ?? [];
  return /[[\]]/.test(label);
}

function hideAlert({ text, start }: Line, edits: Edits): number | undefined {
  const [whole, prefix = '', open = '', kind = '', close = ''] = ALERT.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const at = start + prefix.length;
  edits.hide(at, at + open.length);
  const after = at + open.length + kind.length;
  edits.hide(after, after + close.length);
  return after + close.length;
}

function hideContainer({ text, start }: Line, { source, edits, readMarks }: LineReading): number | undefined {
  const [whole, colons = '', given = '', rest = ''] = LEAF.exec(text) ?? CONTAINER.exec(text) ?? [];
  if (whole === undefined || beginsWithExtension(text)) return undefined;
  const kind = given.replace(/[{}]/g, '');
  const quotes = prefixLength(colons);
  const isShown = KINDS.has(kind.toLowerCase());
  const kindEnd = start + colons.length + given.length;
  edits.hide(start + quotes, isShown ? start + colons.length + given.indexOf(kind) : kindEnd);
  if (isShown && given !== kind) edits.hide(kindEnd - 1, kindEnd);
  const labelled = /^(\[)([^\]]*)(\])/.exec(rest);
  const attributes = /\{[^{}]*\}[ \t]*$/.exec(rest) ?? PAIRS.exec(rest);
  if (labelled) {
    edits.overwrite(kindEnd, kindEnd + 1, ' ');
    const close = kindEnd + labelled[0].length - 1;
    readMarks(kindEnd + 1, close);
    edits.hide(close, close + 1);
  } else {
    readMarks(kindEnd, kindEnd + (attributes?.index ?? rest.length));
  }
  if (attributes) hideAttributes({ text: attributes[0], start: kindEnd + attributes.index }, source, edits);
  return given === '' ? start + text.length : hideProperties(start + text.length, source, edits);
}

/** Hides attributes, except for the kind of a callout and what a reader sees of the others. */
function hideAttributes({ text, start }: Line, source: string, edits: Edits): void {
  const [mark = '', kind = ''] = CALLOUT.exec(text) ?? [];
  const shown = KINDS.has(kind) ? mark.length : 0;
  if (shown > 0) edits.hide(start, start + shown - kind.length);
  hideExceptShown(edits, { start: start + shown, end: start + text.length, source });
}

/** Hides the properties of a component that follow its line, except for those that a reader sees. Returns their end. */
function hideProperties(start: number, source: string, edits: Edits): number {
  PROPERTIES.lastIndex = start;
  const [properties] = PROPERTIES.exec(source) ?? [];
  if (properties === undefined) return start;
  let reached = start;
  for (const { index, 0: line, 1: quote = '', 2: value = '' } of properties.matchAll(SHOWN_PROPERTY)) {
    const from = start + index + line.trimEnd().length - quote.length - value.length;
    edits.hide(reached, from);
    reached = from + value.length;
  }
  edits.hide(reached, start + properties.length);
  return start + properties.length;
}

function hideSlashes({ text, start }: Line, { source, edits, readMarks }: LineReading): number | undefined {
  const [whole, slashes = '', kind = '', bar = ''] = SLASHES.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const end = start + text.length;
  const kindAt = start + slashes.length;
  const quotes = prefixLength(slashes);
  edits.hide(start + quotes, KINDS.has(kind) ? kindAt : kindAt + kind.length);
  edits.replace(kindAt + kind.length, kindAt + kind.length + bar.length, bar.includes('|') ? ' ' : '');
  readMarks(kindAt + kind.length + bar.length, end);
  OPTIONS.lastIndex = end;
  const [options = ''] = kind === '' ? [] : (OPTIONS.exec(source) ?? []);
  edits.hide(end, end + options.length);
  return end + options.length;
}

/** Makes the block a list item, whose content is indented in the same way. */
function hideIndented({ text, start }: Line, { edits, readMarks }: LineReading): number | undefined {
  const [whole, indent = '', mark = '', blanks = '', words = '', gap = '', title] = INDENTED.exec(text) ?? [];
  if (whole === undefined || (mark.startsWith('=') && title === undefined) || `${words}${title ?? ''}` === '')
    return undefined;
  const at = start + indent.length;
  edits.replace(at, at + mark.length, '-  ');
  const wordsAt = at + mark.length + blanks.length;
  const [kind = ''] = /^[\w-]*/.exec(words) ?? [];
  // Without a title, the kind is shown in its place.
  const isShown = title === undefined || KINDS.has(kind.toLowerCase());
  edits.hide(wordsAt + (isShown ? kind.length : 0), wordsAt + words.length);
  if (title !== undefined) {
    const titleAt = wordsAt + words.length + gap.length;
    edits.hide(titleAt, titleAt + 1);
    readMarks(titleAt + 1, titleAt + title.length - 1);
    edits.hide(titleAt + title.length - 1, titleAt + title.length);
  }
  return start + text.length;
}
