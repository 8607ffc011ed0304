import type { Range } from '../../range.js';
import { BEFORE } from './fences.js';
import { isProseOfMyst } from './generators/myst.js';
import { KINDS } from './kinds.js';
import type { Line } from './line-marks.js';

/** `:::tip`, `:::{note}`, `::: {.panel-tabset}`, `:::` alone, and a directive of MyST between backticks or tildes. */
const MARK = new RegExp(`^${BEFORE}(:{3,}|\`{3,}|~{3,})[ \\t]*(.*)$`);
const DIRECTIVE = /^\{([a-z][\w:-]*)\}/;
/** The kind of an admonition, or the class of one of Quarto. Its tabs are headings in a box. */
const KIND = /^(?:([a-z]+)|\{[^{}]*\.(?:callout-([a-z]+)|panel-tabset))(?![\w-])/i;

/** Boxes that are open at the same time; those in them are followed no further. */
const DEEPEST = 100;

interface OpenBox {
  readonly mark: string;
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
    if (!text.includes(':::') && !text.includes('```') && !text.includes('~~~')) return;
    const [, mark, rest = ''] = MARK.exec(text) ?? [];
    if (mark === undefined) return;
    if (rest.trim() === '') {
      this.#close(mark, start + text.length);
      return;
    }
    const isBox = this.#isBox(mark, rest);
    // Other fences are those of code.
    if ((isBox || mark.startsWith(':')) && this.#open.length < DEEPEST) this.#open.push({ mark, start, isBox });
  }

  #isBox(mark: string, rest: string): boolean {
    const [, directive] = DIRECTIVE.exec(rest) ?? [];
    if (directive !== undefined) return this.#isMyst && (mark.startsWith(':') || isProseOfMyst(directive));
    if (!mark.startsWith(':')) return false;
    const [whole, word, callout] = KIND.exec(rest) ?? [];
    const kind = word ?? callout;
    return whole !== undefined && (kind === undefined || KINDS.has(kind.toLowerCase()));
  }

  /** Closes the innermost box whose mark is not longer, with all in it. */
  #close(mark: string, end: number): void {
    const at = this.#open.findLastIndex((open) => mark.startsWith(open.mark));
    if (at < 0) return;
    const [closed] = this.#open.splice(at);
    if (closed?.isBox) this.found.push({ start: closed.start, end });
  }
}
