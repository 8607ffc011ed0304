import { HIDDEN } from '../../hidden.js';
import type { Edits } from './edits.js';

/** The longest tag or expression that is looked for. */
const LONGEST = 5_000;

/** Names of attributes, properties and options whose values a reader sees as text. */
export const SHOWN_NAMES = [
  'title',
  'label',
  'alt',
  'alt-text',
  'summary',
  'caption',
  'heading',
  'header',
  'description',
] as const;

/**
 * Attributes with these names, and with one that only components have. The text of a badge is a label such as "New":
 * after a heading it would name the breadcrumbs below.
 */
const SHOWN = attributes(SHOWN_NAMES);
const SHOWN_OF_COMPONENT = attributes([...SHOWN_NAMES, 'text']);
/** What names a field of an interface: `<ParamField path="id" type="string">`. */
const SHOWN_OF_FIELD = attributes([...SHOWN_NAMES, 'name', 'path', 'query', 'body', 'type']);

/** A name that components have: `Tabs`, `Tabs.Item`; not `T` or `PID`, which are placeholders. */
const COMPONENT = /^<\/?[A-Z][A-Z\d_]*[a-z]\w*(?:\.\w+)*(?=[\s/>])/;
const BADGE = /^<[\w.]*Badge\b/;
const FIELD = /^<\w*(?:Field|Param|Property)\b/;
const ANY_TAG = /^<\/?(?:[A-Za-z][\w.:-]*)?(?=\s|\/?>)/;

/** Where tags and expressions of JSX end. */
export class Jsx {
  readonly #source: string;
  /** Characters that may still be read without a result: each text is read a bounded number of times. */
  #budget: number;

  constructor(source: string) {
    this.#source = source;
    this.#budget = 8 * source.length + LONGEST;
  }

  /** The end of the tag that starts at an offset; undefined if there is none. */
  tagEnd(start: number, { any }: { readonly any: boolean }): number | undefined {
    const head = this.#source.slice(start, start + 100);
    const [name] = (any ? ANY_TAG : COMPONENT).exec(head) ?? [];
    if (name === undefined) return undefined;
    return this.#end(start + name.length, '>');
  }

  /** The end of the expression whose `{` is at an offset; undefined if there is none. */
  expressionEnd(start: number): number | undefined {
    return this.#end(start + 1, '}');
  }

  /** The offset after `closer`, outside of strings, comments and nested braces. */
  #end(from: number, closer: '>' | '}'): number | undefined {
    const limit = Math.min(this.#source.length, from + Math.min(LONGEST, this.#budget));
    let depth = 0;
    let at = from;
    for (; at < limit; at++) {
      const character = this.#source.charAt(at);
      if (depth === 0 && character === closer) return at + 1;
      if (closer === '>' && depth === 0 && character === '<') break;
      if (character === '{') depth++;
      else if (character === '}') depth--;
      else if (character === '"' || character === '`' || (character === "'" && closer === '>')) {
        const length = this.#source.slice(at + 1, limit).indexOf(character);
        if (length < 0) break;
        at += length + 1;
      }
      if (depth < 0) break;
    }
    this.#budget -= at - from;
    return undefined;
  }
}

/** A text in a mark that a reader sees, from the character before it to the one after it. */
export interface Shown {
  readonly open: number;
  readonly close: number;
}

interface Mark {
  readonly start: number;
  readonly end: number;
  readonly source: string;
}

/** Hides a mark, except for the texts of its attributes that a reader sees. They and the mark become one line. */
export function hideExceptShown(edits: Edits, mark: Mark): void {
  hideAround(shownAttributes(mark), edits, mark);
}

/** The texts of the attributes that a reader sees. */
export function shownAttributes({ start, end, source }: Mark): Shown[] {
  const mark = source.slice(start, end);
  return [...mark.matchAll(shownIn(mark))].flatMap((match) => {
    const [value, [from, to]] = firstGroup(match);
    return value.trim() === '' || /[\n\r]/.test(value) ? [] : [{ open: start + from - 1, close: start + to }];
  });
}

function shownIn(mark: string): RegExp {
  if (!COMPONENT.test(mark) || BADGE.test(mark)) return SHOWN;
  return FIELD.test(mark) ? SHOWN_OF_FIELD : SHOWN_OF_COMPONENT;
}

/** Hides a mark, except for some texts, given in ascending order. */
export function hideAround(shown: readonly Shown[], edits: Edits, { start, end }: Omit<Mark, 'source'>): void {
  if (shown.length === 0) {
    edits.hide(start, end);
    return;
  }
  let reached = start;
  for (const { open, close } of shown) {
    // One blank may end a text and begin the next one.
    if (open >= reached) {
      edits.overwrite(reached, open, HIDDEN.repeat(open - reached));
      edits.overwrite(open, open + 1, ' ');
    }
    edits.overwrite(close, close + 1, ' ');
    reached = close + 1;
  }
  edits.overwrite(reached, end, HIDDEN.repeat(end - reached));
}

/** What the first group that takes part in a match matched, and where. */
function firstGroup(match: RegExpMatchArray): [string, [number, number]] {
  const i = match.findIndex((group, index) => index > 0 && group !== undefined);
  return [match[i] ?? '', match.indices?.[i] ?? [0, 0]];
}

/**
 * Matches attributes with some names, and their values: `alt="a"`, or in JSX a string in braces. Bound attributes of
 * Vue, such as `:alt="a"`, are code and do not match.
 */
function attributes(names: readonly string[]): RegExp {
  const quoted = `"([^"]*)"|'([^']*)'`;
  const inBraces = '\\{[ \\t]*(?:"([^"\\\\\\n]*)"|\'([^\'\\\\\\n]*)\'|`([^`\\\\$\\n]*)`)[ \\t]*\\}';
  return new RegExp(`(?<![\\w:-])(?:${names.join('|')})\\s*=\\s*(?:${quoted}|${inBraces})`, 'dg');
}
