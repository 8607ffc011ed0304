import type { Line, Scan } from './lines.js';

/** What a reader of the rendered page does not see. */
export const MARKS = ['template', 'component', 'html', 'module', 'comment'] as const;
export type Mark = (typeof MARKS)[number];

/** A range of the source that a reader does not see. */
export interface Unseen {
  readonly mark: Mark;
  readonly start: number;
  readonly end: number;
}

const TEMPLATE = /\{%[\s\S]*?%\}|\{\{<[\s\S]*?>\}\}|\{\{%[\s\S]*?%\}\}|\{\{#[^\n{}]*\}\}/y;
const COMMENT = /<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}|\{%-?\s*comment\s*-?%\}[\s\S]*?\{%-?\s*endcomment\s*-?%\}/y;
const BACKTICKS = /`+/y;
/** The beginning of a tag; `<https://…>` and `<a@b.c>` are addresses. */
const TAG = /<(?:\/?([A-Za-z][\w.-]*)(?=[\s/>])|(?=\/?>))/y;

/** Kinds of lines that are hidden as a whole. */
const HIDDEN: Partial<Record<Line['kind'], Mark>> = { comment: 'comment', module: 'module', hidden: 'html' };

/** The marks in a source outside of code blocks, code spans and front matter, in order. */
export function unseenIn(source: string, { lines }: Scan, { mdx }: { readonly mdx: boolean }): Unseen[] {
  const found: Unseen[] = [];
  let run: { start: number; end: number } | undefined;
  const flush = () => {
    if (run) found.push(...inline(source, { ...run, mdx }));
    run = undefined;
  };
  for (const { kind, start, end, inner } of lines) {
    const mark = HIDDEN[kind];
    if (kind === 'text') {
      run = { start: run?.start ?? inner, end };
      continue;
    }
    flush();
    if (mark) found.push({ mark, start, end });
  }
  flush();
  return found;
}

/** The marks of one run of text lines. */
function inline(source: string, { start, end, mdx }: { start: number; end: number; mdx: boolean }): Unseen[] {
  const found: Unseen[] = [];
  const text = source.slice(0, end);
  const match = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  let at = start;
  while (at < end) {
    const character = text[at];
    if (character === '\\') {
      at += 2;
    } else if (character === '`') {
      at = afterCode(text, at, match(BACKTICKS, at)?.[0] ?? '`');
    } else if (character === '<' || character === '{') {
      const comment = match(COMMENT, at);
      const template = comment ? null : match(TEMPLATE, at);
      const tag = comment || template ? null : match(TAG, at);
      const after = tag ? afterTag(text, at + tag[0].length, mdx) : at + (comment ?? template ?? [''])[0].length;
      if (after === undefined || after === at) {
        at += 1;
        continue;
      }
      const mark = comment ? 'comment' : template ? 'template' : kindOfTag(tag?.[1]);
      found.push({ mark, start: at, end: after });
      at = after;
    } else {
      at += 1;
    }
  }
  return found;
}

/** Where a code span ends that begins with these backticks; without such an end they are text. */
function afterCode(text: string, at: number, ticks: string): number {
  const after = at + ticks.length;
  const closing = new RegExp(`(?<!\`)${ticks}(?!\`)`, 'g');
  closing.lastIndex = after;
  const found = closing.exec(text);
  return found ? found.index + ticks.length : after;
}

/** An element of HTML has a plain name; a component's begins with a capital or has several parts. */
function kindOfTag(name: string | undefined): Mark {
  return name === undefined || /^[A-Z]|[-.]/.test(name) ? 'component' : 'html';
}

/** Where a tag ends, whose attributes may have quoted values and, in MDX, expressions in braces. */
function afterTag(text: string, from: number, mdx: boolean): number | undefined {
  let [at, depth] = [from, 0];
  for (; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '"' || character === "'" || (depth > 0 && character === '`')) {
      const closing = text.indexOf(character, at + 1);
      if (closing < 0) return undefined;
      at = closing;
    } else if (mdx && character === '{') depth += 1;
    else if (mdx && character === '}') depth -= 1;
    else if (character === '>' && depth <= 0) return at + 1;
    else if (character === '<' && depth <= 0) return undefined;
  }
  return undefined;
}
