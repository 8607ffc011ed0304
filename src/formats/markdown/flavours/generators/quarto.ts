import type { Edits } from '../edits.js';
import type { Line } from '../line-marks.js';
import { prefixLength } from '../places.js';
import { SHOWN_NAMES } from '../tags.js';

/** A cell, which Quarto and R Markdown run: `{r}`, `{r plot, echo=FALSE}`. One that they only show has more braces. */
const CELL = /^[ \t]*\{[A-Za-z][\w-]*[ \t,}]/;

/** What a line of options begins with: the comment mark of the language, and a bar. */
const MARK = /^([ \t>]*(?:#|\/\/|%%|--)\|)([ \t]*)/;
const NAME = /^([A-Za-z][\w.-]*)[ \t]*:(?![^ \t])[ \t]*/;
/** The lines of a value have more blanks after the mark than its name. */
const INDENT = 2;

const TEXTS = ['cap', 'code-summary', ...SHOWN_NAMES.filter((name) => name !== 'label')];
/** Captions, alternative texts and titles. */
const SHOWN = new RegExp(`^(?:(?:fig|tbl|tab|lst)[.-](?:cap|subcap|alt)|${TEXTS.join('|')})$`);
/** The mark of a value on the next lines, and an expression of R. */
const NO_TEXT = /^(?:[|>][-+\d]*|!expr[ \t].*)[ \t]*$/;

/** Whether a fence opens a cell. `info` is what follows its mark. */
export function isCell(info: string): boolean {
  return CELL.test(info);
}

/**
 * Hides the options that a cell begins with, `#| label: a`, except for texts that a reader sees: `#| fig-cap: "A b."`.
 */
export class CellOptions {
  readonly #edits: Edits;
  #isOver = false;
  /** Whether a reader sees the value whose lines come next. */
  #isShown = false;
  /** The quote that the value is in. */
  #quote = '';

  constructor(edits: Edits) {
    this.#edits = edits;
  }

  /** Takes the next line of the cell. Returns whether it is of its options. */
  take({ text, start }: Line): boolean {
    const [head, mark = '', blanks = ''] = this.#isOver ? [] : (MARK.exec(text) ?? []);
    this.#isOver = head === undefined;
    if (head === undefined) return false;
    const end = start + text.length;
    const from = start + (blanks.length < INDENT ? this.#name(text, head.length) : mark.length);
    const value = text.slice(from - start).trimEnd();
    if (!this.#isShown || NO_TEXT.test(value)) {
      this.#edits.hide(start + prefixLength(text), end);
      return true;
    }
    this.#edits.hide(start + prefixLength(text), from);
    if (this.#quote !== '' && value.endsWith(this.#quote)) this.#edits.hide(from + value.length - 1, end);
    return true;
  }

  /** Reads the name of an option. Returns the offset of its value in the line. */
  #name(text: string, at: number): number {
    const [mark, name = ''] = NAME.exec(text.slice(at)) ?? [];
    this.#isShown = mark !== undefined && SHOWN.test(name);
    if (mark === undefined) return at;
    const value = at + mark.length;
    this.#quote = /^["']/.exec(text.slice(value))?.[0] ?? '';
    return value + this.#quote.length;
  }
}
