import type { Edits } from './edits.js';

/** A line without its end, and where it starts. */
export interface Line {
  readonly text: string;
  readonly start: number;
}

/** Kinds of admonition, whose names a reader sees; other containers are only layout. */
export const KINDS = new Set(
  (
    'abstract attention bug caution danger error example failure faq hint important info note question quote seealso ' +
    'success summary tip todo warning'
  ).split(' '),
);

/** `:::tip Title`, `::: tip`, `:::note[Title]{.open}`, `:::{note}`, and `:::` alone. */
const CONTAINER = /^([ \t>]*:{3,}[ \t]*)(\{?([\w-]*)\}?)([^\r\n]*)$/;

/** `::youtube[Title]{#id}` on a line of its own. */
const LEAF = /^([ \t>]*::)([a-z][\w-]*)((?:\[[^\]]*\])?(?:\{[^}]*\})?)[ \t]*$/;

/** `!!! note "Title"`, `??? tip`, `???+ tip`, `=== "Tab"`: what belongs to it is indented by four columns. */
const INDENTED =
  /^([ \t]*)(!!!|\?\?\?\+?|===\+?!?)([ \t]+)(?![ \t])([\w-]+(?:[ \t]+[\w-]+)*)?(?:([ \t]*)("[^"]*"))?[ \t]*$/;

/** `<<< @/snippet.js`, `[[toc]]`, `[TOC]`, `{:toc}`: something else is shown in their place. */
const PLACEHOLDER = /^[ \t>]*(?:<<<[ \t]*[^\s/<]*\/\S[^\r\n]*|\[\[_?toc_?\]\]|\[toc\]|\{:\s*toc\s*\})[ \t]*$/i;

/** `> [!NOTE]`, `> [!tip]- Title`. */
const ALERT = /^([ \t]*(?:>[ \t]*)+)(\[!)([\w-]+)(\][+-]?)/;

/** `{: .class #id }` on a line of its own, for the block above it. */
const ATTRIBUTES = /^[ \t>]*\{:?[ \t]*[#.:][^{}]*\}[ \t]*$/;

/** `[`f(a[, b])`]: target`, meant as the definition of a link: CommonMark allows no brackets in its label. */
const DEFINITION = /^ {0,3}\[`([^`]*)`\]:[ \t]+\S+[ \t]*$/;

/** Hides the marks that take up the beginning of a line or all of it. Returns the offset up to which it is read. */
export function hideLineMarks({ text, start }: Line, edits: Edits): number {
  const end = start + text.length;
  if (PLACEHOLDER.test(text) || ATTRIBUTES.test(text) || isBracketedDefinition(text)) {
    edits.hide(start, end);
    return end;
  }
  return (
    hideAlert({ text, start }, edits) ??
    hideContainer({ text, start }, edits) ??
    hideIndented({ text, start }, edits) ??
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

function hideContainer({ text, start }: Line, edits: Edits): number | undefined {
  const leaf = LEAF.exec(text);
  const [whole, colons = '', given = '', kind = '', rest = ''] = leaf
    ? [leaf[0], leaf[1], leaf[2], '', leaf[3]]
    : (CONTAINER.exec(text) ?? []);
  if (whole === undefined) return undefined;
  const quotes = /^[ \t>]*/.exec(colons)?.[0].length ?? 0;
  const isShown = KINDS.has(kind.toLowerCase());
  const kindEnd = colons.length + given.length;
  edits.hide(start + quotes, start + (isShown ? colons.length + given.indexOf(kind) : kindEnd));
  if (isShown && given !== kind) edits.hide(start + kindEnd - 1, start + kindEnd);
  const labelled = /^(\[)([^\]]*)(\])/.exec(rest);
  const attributes = /\{[^{}]*\}[ \t]*$/.exec(rest);
  if (labelled) {
    edits.overwrite(start + kindEnd, start + kindEnd + 1, ' ');
    const close = start + kindEnd + labelled[0].length - 1;
    edits.hide(close, close + 1);
  }
  if (attributes) edits.hide(start + kindEnd + attributes.index, start + text.length);
  return start + text.length;
}

/** Makes it an item of a list, whose content is indented likewise. */
function hideIndented({ text, start }: Line, edits: Edits): number | undefined {
  const [whole, indent = '', mark = '', blanks = '', words = '', gap = '', title] = INDENTED.exec(text) ?? [];
  if (whole === undefined || (mark.startsWith('=') && title === undefined) || `${words}${title ?? ''}` === '')
    return undefined;
  const at = start + indent.length;
  edits.replace(at, at + mark.length, '-  ');
  const wordsAt = at + mark.length + blanks.length;
  const [kind = ''] = /^[\w-]*/.exec(words) ?? [];
  edits.hide(wordsAt + (KINDS.has(kind.toLowerCase()) ? kind.length : 0), wordsAt + words.length);
  if (title !== undefined) {
    const titleAt = wordsAt + words.length + gap.length;
    edits.hide(titleAt, titleAt + 1);
    edits.hide(titleAt + title.length - 1, titleAt + title.length);
  }
  return start + text.length;
}
