import type { Range } from '../../range.js';
import { BEFORE, type Fence, fenceOf, isOutside, MARK } from './fences.js';
import { isProseOfMyst } from './generators/myst.js';
import { KINDS } from './kinds.js';
import type { Line } from './line-marks.js';

/** `:::tip`, `:::{note}`, `::: {.panel-tabset}`, `:::` alone, and a directive of MyST between backticks or tildes. */
const OPENING = new RegExp(`^(${BEFORE})(:{3,}|${MARK})`);
const BLANKS = /^[ \t]*/;
const DIRECTIVE = /^\{([a-z][\w:-]*)\}/;
/** Directives that only arrange parts of the page. */
const LAYOUT: ReadonlySet<string> = new Set(['container', 'div']);
/** The kind of an admonition, or the class of one of Quarto. The tabs of Quarto are headings in a box, too. */
const KIND = /^(?:([a-z]+)|\{[^{}]*\.(?:callout-([a-z]+)|panel-tabset))(?![\w-])/i;

/** Boxes that are open at the same time; those in them are followed no further. */
const DEEPEST = 100;

interface OpenBox extends Fence {
  readonly start: number;
  /** Whether it is a box that a reader sees, and not a part of the page as a whole. */
  readonly isBox: boolean;
}

/** Finds the boxes of a text that are closed, such as admonitions: a heading in one heads nothing after it. */
export class Boxes {
  /** In the order of their ends. */
  readonly found: Range[] = [];
  readonly #isMyst: boolean;
  readonly #open: OpenBox[] = [];

  constructor({ isMyst }: { readonly isMyst: boolean }) {
    this.#isMyst = isMyst;
  }

  /** Takes a line that is not code. */
  take({ text, start }: Line): void {
    // A box that is left open ends with its quotation or list item; its headings do so anyway.
    for (let top = this.#open.at(-1); top && isOutside(text, top); top = this.#open.at(-1)) this.#open.pop();
    if (!text.includes(':::') && !text.includes('```') && !text.includes('~~~')) return;
    const [whole, before = '', mark = ''] = OPENING.exec(text) ?? [];
    if (whole === undefined) return;
    const rest = text.slice(whole.length).replace(BLANKS, '');
    if (rest === '') {
      this.#close(mark, start + text.length);
      return;
    }
    const isBox = this.#isBox(mark, rest);
    if (isBox === undefined || this.#open.length >= DEEPEST) return;
    this.#open.push({ ...fenceOf(before, mark), start, isBox });
  }

  /** Whether a mark opens a box; undefined if it opens code. */
  #isBox(mark: string, rest: string): boolean | undefined {
    const [, directive] = DIRECTIVE.exec(rest) ?? [];
    if (!mark.startsWith(':')) {
      const isProse = this.#isMyst && directive !== undefined && isProseOfMyst(directive);
      return isProse ? !LAYOUT.has(directive) : undefined;
    }
    if (directive !== undefined) return this.#isMyst && !LAYOUT.has(directive);
    const [whole, word, callout] = KIND.exec(rest) ?? [];
    const kind = word ?? callout;
    return whole !== undefined && (kind === undefined || KINDS.has(kind.toLowerCase()));
  }

  /**
   * Closes the innermost box whose mark is not longer, with all in it. Outside of MyST, any mark closes the innermost:
   * so it is in Pandoc and Quarto, and the other flavours agree where every box is closed.
   */
  #close(mark: string, end: number): void {
    const at = this.#open.findLastIndex((open) => !this.#isMyst || mark.startsWith(open.mark));
    if (at < 0) return;
    const [closed] = this.#open.splice(at);
    if (closed?.isBox) this.found.push({ start: closed.start, end });
  }
}
