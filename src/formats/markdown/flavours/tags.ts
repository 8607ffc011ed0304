import { HIDDEN } from '../../hidden.js';
import type { Edits } from './edits.js';

/** The longest tag or expression that is looked for. */
const LONGEST = 5_000;

/** Attributes of components, directives and shortcodes that a reader sees as text. */
const SHOWN = /(?<![\w-])(?:title|label|alt|summary|caption|heading|header|description)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** A name that components have: `Tabs`, `Tabs.Item`; not `T` or `PID`, which stand for something. */
const COMPONENT = /^<\/?[A-Z][A-Z\d_]*[a-z]\w*(?:\.\w+)*(?=[\s/>])/;
const ANY_TAG = /^<\/?(?:[A-Za-z][\w.:-]*)?(?=\s|\/?>)/;

/** Where tags and expressions of JSX end. */
export class Jsx {
  readonly #source: string;
  /** Characters that may still be read in vain: each text is read a bounded number of times. */
  #patience: number;

  constructor(source: string) {
    this.#source = source;
    this.#patience = 8 * source.length + LONGEST;
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
    const limit = Math.min(this.#source.length, from + Math.min(LONGEST, this.#patience));
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
    this.#patience -= at - from;
    return undefined;
  }
}

/** Hides a mark but for the texts of its attributes that a reader sees. They and the mark become one line. */
export function hideButShown(
  edits: Edits,
  { start, end, source }: { start: number; end: number; source: string },
): void {
  const shown = [...source.slice(start, end).matchAll(SHOWN)].flatMap((match) => {
    const value = match[1] ?? match[2] ?? '';
    const close = start + match.index + match[0].length - 1;
    return value.trim() === '' || /[\n\r]/.test(value) ? [] : [{ open: close - value.length - 1, close }];
  });
  if (shown.length === 0) edits.hide(start, end);
  else hideAround(shown, edits, { start, end });
}

function hideAround(
  shown: readonly { open: number; close: number }[],
  edits: Edits,
  { start, end }: { start: number; end: number },
): void {
  let reached = start;
  for (const { open, close } of shown) {
    edits.overwrite(reached, open, HIDDEN.repeat(open - reached));
    edits.overwrite(open, open + 1, ' ');
    edits.overwrite(close, close + 1, ' ');
    reached = close + 1;
  }
  edits.overwrite(reached, end, HIDDEN.repeat(end - reached));
}
