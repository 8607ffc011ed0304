import type { Closers } from './closers.js';
import type { Edits } from './edits.js';
import type { Line } from './line-marks.js';

/** Elements that people write as HTML on many lines, and components. */
const OPENING = /^[ \t]*<(table|div|section|ul|ol|dl|[A-Z][A-Z\d_]*[a-z]\w*)(?=[\s/>]|$)/;

/** What a part of a file begins with that begins inside of a table: a row, or another tag before the end of a row. */
const INSIDE_TABLE =
  /^\s*(?:<\/?(?:thead|tbody|tfoot|tr|t[dh])\b|<(?!table\b)(?:(?!<table\b)[\s\S]){0,2000}?<\/t[dhr]>)/;

/** A tag on a line that CommonMark would take for code. */
const INDENTED_TAG = /^(?: {4}| {0,3}\t)[ \t]*(?=<[/!A-Za-z])/;

/** Follows elements of HTML over blank lines, after which CommonMark reads their indented rows as code. */
export class Elements {
  readonly #closers: Closers;
  /** Where an element without an end tag ends: a part of a file may end before the tag. */
  readonly #unclosed: number;
  /** Where the outermost open element ends. */
  #end: number;

  constructor(source: string, { closers, isPart }: { readonly closers: Closers; readonly isPart: boolean }) {
    this.#closers = closers;
    this.#unclosed = isPart ? source.length : 0;
    this.#end = INSIDE_TABLE.test(source) ? source.length : 0;
  }

  /** Hides the indentation of a tag inside of an element. Returns where the rest of the line starts. */
  hideIndentation({ text, start }: Line, edits: Edits): number {
    const [indentation = ''] = INDENTED_TAG.exec(text) ?? [];
    const isInside = start < this.#end;
    const [, name] = OPENING.exec(text) ?? [];
    if (name && (isInside || indentation === '')) {
      const close = this.#closers.next(`</${name}>`, start);
      this.#end = Math.max(this.#end, close < 0 ? this.#unclosed : close);
    }
    if (!isInside) return start;
    edits.hide(start, start + indentation.length);
    return start + indentation.length;
  }
}
