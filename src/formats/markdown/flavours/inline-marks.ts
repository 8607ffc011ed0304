import { attributesLength } from './attributes.js';
import type { Closers } from './closers.js';
import type { CodeSpans } from './code-spans.js';
import type { Edits } from './edits.js';
import { hideDocLink } from './generators/docc.js';
import { hideExtension, replacedLength } from './generators/docfx.js';
import { joinReference } from './generators/documenter.js';
import { hideCommand } from './generators/doxygen.js';
import { hideAroundName, hideId } from './generators/elastic.js';
import type { GitBook } from './generators/gitbook.js';
import { hideDescriptionMark, hideMacro } from './generators/mdn.js';
import { hideBlock } from './generators/readme.js';
import { hideWikilink } from './generators/wikilinks.js';
import { hideMath } from './math.js';
import { afterBlankLine, isInDestination, SHORT, startOfHeading, startsLine } from './places.js';
import { hideExceptShown, type Jsx } from './tags.js';
import { liquid } from './templates/liquid.js';
import { shortcode } from './templates/shortcodes.js';
import { hideSquareTag } from './templates/square-tags.js';

/** What the marks of a text are found with. */
export interface Inline {
  readonly source: string;
  readonly isMdx: boolean;
  readonly edits: Edits;
  readonly closers: Closers;
  readonly spans: CodeSpans;
  readonly jsx: Jsx;
  /** Whether it is a note of Obsidian, where `%%` begins a comment and `^id` names a block. */
  readonly isNote: boolean;
  readonly isMdn: boolean;
  readonly isDoxygen: boolean;
  readonly isElastic: boolean;
  readonly gitBook: GitBook;
  /** The end of a heading in HTML; its lines are joined up to there. */
  joinedUntil: number;
}

/** `{{#include ../a.rs:b}}` and its kind, which mdBook replaces, in code too; a backslash before it makes it text. */
const INCLUDE = '\\{\\{[ \\t]*#(?:include|rustdoc_include|playground|playpen|template|title)[ \\t][^{}\\r\\n]*\\}\\}';
const INCLUDE_HERE = new RegExp(`^${INCLUDE}`);
export const INCLUDES = new RegExp(`(?<!\\\\)${INCLUDE}`, 'g');

/** A variable of Liquid or Vue: `{{ site.url | escape }}`. */
const VARIABLE = /^\{\{[-~]?[ \t]*\$?[\w-]+(?:\.[\w-]+)+[ \t]*(?:\|[^{}\n]*)?[-~]?\}\}/;

/** A variable between three braces, such as `{{{ .starter }}}`; its name often says what it stands for. */
const RAW_VARIABLE = /^(\{\{\{[ \t]*\.?)([\w-]+(?:\.[\w-]+)*)[ \t]*\}\}\}/;

/** A string or a variable in a link, whose blanks would break it: `{{ '/docs/' | relative_url }}`. */
const PLACE = /^\{\{[-~]?[ \t]*(?:"[^"{}\r\n]*"|'[^'{}\r\n]*'|[\w-]+)[ \t]*(?:\|[^{}\r\n]*)?[-~]?\}\}/;

/** `:kbd[Ctrl]{.key}` */
const DIRECTIVE = /^(:[a-z][\w-]*\[)([^[\]\n]*)(\](?:\{[^{}\n]*\})?)/;

/** `:read-more{to="/x"}`, `:br` */
const COMPONENT = /^:(?:br(?=[ \t]*(?:[\r\n]|$))|[a-z][\w-]*\{[^{}\n]*[=.#][^{}\n]*\})/;

/** The pictures of themes: `:material-check:{ .lg }`. */
const ICON = /^:(?:material|octicons|fontawesome|simple)-[\w-]+:(?:\{[^{}\n]*\})?/;

/** What follows the mark of an image with a size: `![a](b.png =100x50)`. */
const SIZED = /^(\[[^[\]\n]*\]\([^\s()]+)([ \t]+=\d*%?x\d*%?)\)/;

/** What follows the mark of an image whose text ends in a size: `![a|690x320, 50%](b.png)`. */
const SIZED_TEXT = /^(\[[^[\]\n|]*)(\|[ \t]*\d+(?:x\d+)?(?:,[ \t]*\d+%)?[ \t]*)\]\(/;

/** `[text]{.class}` */
const SPAN = /^\[([^[\]\n]+)\]\{[ \t]*[.#][^{}\n]*\}/;

/** `[text][package.name]`, whose target is found elsewhere. */
const CROSS_REFERENCE = /^\[([^[\]\n]+)\]\[[A-Za-z][\w-]*(?:\.[\w-]+)+\]/;

/** `^block-id` at the end of a line. */
const BLOCK_ID = /^\^[A-Za-z\d][A-Za-z\d-]*(?=[ \t]*(?:\r?\n|$))/;

/** `%{#anchor}%` at the end of a line, where a site has chosen these marks because Vue reads braces. */
const PERCENT_ANCHOR = /^%\{#[^\s{}%]+\}%(?=[ \t]*#*[ \t]*(?:[\r\n]|$))/;

/** The text of an expression that is a string. */
const STRING = /^\{[ \t]*(?:"([^"\\\n]*)"|'([^'\\\n]*)'|`([^`\\$\n]*)`)[ \t]*\}$/;

const HTML_HEADING = /^<h([1-6])(?:[ \t\n][^<>]*)?>/i;

const TAG = /<\/?[A-Za-z][^<>]*>/g;
/** Elements whose content is literal: what looks like a heading in it is not one. */
const LITERAL = /<(?:pre|textarea|title)\b/i;

const HEAD = /^<head(?:[ \t][^<>]*)?>[ \t]*[\r\n]/i;
const HEAD_END = '</head>';
const LONGEST_HEAD = 5_000;

/** What is left of a heading, and a slot of Vue, whose `#name` HTML does not know. */
const ENDS_HEADING_OR_IS_SLOT = /^<(?:\/h[1-6]>|\/?template(?=[\s>]))/i;

/** The most characters of attributes: one of them may describe an image at length. */
const LONGEST_ATTRIBUTES = 5_000;

/** Hides the mark at an offset. Returns the offset after it, or after what cannot hold a mark; 0 if there is none. */
export function inlineMark(inline: Inline, at: number): number {
  switch (inline.source.charAt(at)) {
    case '\\':
      return hideCommand(inline, at) || at + 2;
    case '@':
      return hideCommand(inline, at);
    case '`':
      return inline.spans.end(at);
    case '<':
      return angle(inline, at);
    case '{':
      return brace(inline, at);
    case '[':
      return bracket(inline, at);
    case '%':
      return (inline.isNote && between(inline, at, ['%%', '%%'])) || whole(inline, at, PERCENT_ANCHOR);
    case '^':
      return inline.isNote && /^$|[ \t\n]/.test(inline.source.charAt(at - 1)) ? whole(inline, at, BLOCK_ID) : 0;
    case '$':
      return hideMath(inline, at);
    default:
      return directive(inline, at);
  }
}

function angle(inline: Inline, at: number): number {
  const { source, edits, jsx, isMdx, closers } = inline;
  const comment = between(inline, at, ['<!--', '-->']);
  if (comment > 0) return comment;
  const head = source.slice(at, at + SHORT);
  const [script, name = ''] = /^<(script|style)\b/i.exec(head) ?? [];
  if (script) {
    const close = closers.next(`</${name}`, at);
    const end = close < 0 ? -1 : closers.next('>', close);
    if (end < 0) return 0;
    edits.hide(at, end + 1);
    return end + 1;
  }
  const read =
    inline.gitBook.hide(inline, at) ||
    htmlHeading(inline, { at, head }) ||
    hideDocLink(inline, at) ||
    headOfPage(inline, { at, head });
  if (read > 0) return read;
  if (!isMdx && /[\w)\]]/.test(source.charAt(at - 1))) return 0;
  const end = jsx.tagEnd(at, { any: isMdx || ENDS_HEADING_OR_IS_SLOT.test(head) });
  if (end === undefined) return 0;
  if (/^<br\b/i.test(head) && !startsLine(source, at)) edits.overwrite(at, end, ' ');
  else hideExceptShown(edits, { start: at, end, source });
  return end;
}

/** Hides the head of a page: its title, which browsers show on a tab, and tags for machines. */
function headOfPage(inline: Inline, { at, head }: { at: number; head: string }): number {
  if (!HEAD.test(head) || !startsLine(inline.source, at)) return 0;
  const close = inline.closers.next(HEAD_END, at);
  if (close < 0 || close - at > LONGEST_HEAD || inline.source.slice(at, close).includes('```')) return 0;
  inline.edits.hide(at, close + HEAD_END.length);
  return close + HEAD_END.length;
}

/**
 * Makes `<h1 align="center">…</h1>` a heading, on one line if its tag, with those before it, has room for the marks. An
 * HTML block ends at a blank line, so the tags on the lines above the heading are hidden: the heading would be part of
 * their block.
 */
function htmlHeading(inline: Inline, { at, head }: { at: number; head: string }): number {
  const [tag, depth = ''] = HTML_HEADING.exec(head) ?? [];
  const start = tag === undefined ? -1 : startOfHeading(inline.source, at);
  if (tag === undefined || start < 0 || at + tag.length - start <= Number(depth)) return 0;
  const close = inline.closers.next(`</${tag.slice(1, 3)}>`, at);
  if (close < 0 || close - at > 1000 || /\n[ \t]*\r?\n/.test(inline.source.slice(at, close))) return 0;
  const from = afterBlankLine(inline.source, at, inline.joinedUntil);
  const above = inline.source.slice(from, start);
  if (from < 0 || LITERAL.test(above)) return 0;
  for (const { index, 0: each } of above.matchAll(TAG)) {
    hideExceptShown(inline.edits, { start: from + index, end: from + index + each.length, source: inline.source });
  }
  inline.edits.overwrite(start, at + tag.length, '#'.repeat(Number(depth)));
  inline.joinedUntil = close;
  return at + tag.length;
}

function brace(inline: Inline, at: number): number {
  const { source, edits, jsx, isMdx } = inline;
  const head = source.slice(at, at + SHORT);
  if (head.startsWith('{%')) return liquid(inline, at);
  const hidden =
    shortcode(inline, at) ||
    whole(inline, at, INCLUDE_HERE) ||
    hideMacro(inline, at) ||
    between(inline, at, ['{/*', '*/}']) ||
    between(inline, at, ['{::comment}', '{:/comment}']) ||
    hideAroundName(inline, at) ||
    whole(inline, at, VARIABLE) ||
    rawVariable(inline, at);
  if (hidden > 0) return hidden;
  // Two braces are those of a template: `{{ .Name }}`.
  const isInner = source.charAt(at - 1) === '{';
  const after = source.slice(at, at + LONGEST_ATTRIBUTES);
  const attributes = isInner ? 0 : attributesLength(source.slice(Math.max(0, at - SHORT), at), after);
  edits.hide(at, at + attributes);
  if (attributes > 0) return at + attributes;
  if (PLACE.test(head) && isInDestination(source, at)) return whole(inline, at, PLACE);
  if (!isMdx) return 0;
  const end = jsx.expressionEnd(at);
  if (end === undefined) return 0;
  const expression = source.slice(at, end);
  const [text, ...strings] = STRING.exec(expression) ?? [];
  const string = strings.find((each) => each !== undefined) ?? '';
  if (text === undefined || string.trim() === '') {
    edits.hide(at, end);
  } else {
    const from = at + expression.indexOf(string);
    edits.hide(at, from);
    edits.hide(from + string.length, end);
  }
  return end;
}

function rawVariable({ source, edits }: Inline, at: number): number {
  const [mark, open = '', name = ''] = RAW_VARIABLE.exec(source.slice(at, at + SHORT)) ?? [];
  if (mark === undefined) return 0;
  edits.hide(at, at + open.length);
  edits.hide(at + open.length + name.length, at + mark.length);
  return at + mark.length;
}

function bracket(inline: Inline, at: number): number {
  const { source, edits } = inline;
  if (source.charAt(at + 1) === '[') return hideWikilink(inline, at);
  if (source.charAt(at - 1) === '!') return hideSize(inline, at);
  const tag = hideBlock(inline, at) || hideSquareTag(inline, at) || hideId(inline, at);
  if (tag > 0 || /[\w\]]/.test(source.charAt(at - 1))) return tag;
  const head = source.slice(at, at + SHORT);
  const joined = joinReference(inline, at, head);
  if (joined > 0) return joined;
  const replaced = replacedLength(head);
  edits.hide(at, at + replaced);
  if (replaced > 0) return at + replaced;
  const [mark, text = ''] = SPAN.exec(head) ?? CROSS_REFERENCE.exec(head) ?? [];
  if (mark === undefined) return 0;
  edits.hide(at, at + 1);
  edits.hide(at + 1 + text.length, at + mark.length);
  return at + mark.length;
}

/** Hides the size of an image, which would be shown, or keep it from being one. */
function hideSize({ source, edits }: Inline, at: number): number {
  const head = source.slice(at, at + SHORT);
  const [whole, before = '', size = ''] = SIZED.exec(head) ?? SIZED_TEXT.exec(head) ?? [];
  if (whole === undefined) return 0;
  edits.hide(at + before.length, at + before.length + size.length);
  return at + before.length + size.length;
}

function directive(inline: Inline, at: number): number {
  const { source, edits } = inline;
  const before = source.charAt(at - 1);
  if (/[_/]/.test(before)) return whole(inline, at, ICON);
  if (/[\w:\\]/.test(before)) return 0;
  const extension = hideExtension(inline, at) || hideDescriptionMark(inline, at);
  if (extension > 0) return extension;
  const head = source.slice(at, at + SHORT);
  const [mark, open = '', text = ''] = DIRECTIVE.exec(head) ?? [];
  if (mark !== undefined) {
    edits.hide(at, at + open.length);
    edits.hide(at + open.length + text.length, at + mark.length);
    return at + mark.length;
  }
  const [component] = COMPONENT.exec(head) ?? ICON.exec(head) ?? [];
  if (component === undefined) return 0;
  hideExceptShown(edits, { start: at, end: at + component.length, source });
  return at + component.length;
}

/** Hides from one mark to the next other one. */
function between({ source, edits, closers }: Inline, at: number, [open, close]: readonly [string, string]): number {
  if (!source.startsWith(open, at)) return 0;
  const found = closers.next(close, at + open.length);
  if (found < 0) return 0;
  const end = found + close.length;
  edits.hide(at, end);
  return end;
}

function whole({ source, edits }: Inline, at: number, pattern: RegExp): number {
  const [mark] = pattern.exec(source.slice(at, at + SHORT)) ?? [];
  if (mark === undefined) return 0;
  edits.hide(at, at + mark.length);
  return at + mark.length;
}
