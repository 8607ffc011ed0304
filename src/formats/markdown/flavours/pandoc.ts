import type { Line } from './line-marks.js';

/** A term on a line, and `:   its definition` on the next. */
const DEFINITION = /^((?: {0,3}>)* {0,3}):([ \t]+)(?=\S)/;
/** The most blanks behind the marker of an item that are not of code in it. */
const WIDEST = 4;

/** A definition, made an item of a list, whose content is indented likewise. */
interface Item {
  /** What its first line begins with as an item. */
  readonly marker: string;
  /** The offset of its content. */
  readonly content: number;
}

/** Reads the definition that a line begins; undefined if it begins none. */
export function definitionAt({ text, start }: Line, source: string): Item | undefined {
  const [mark, prefix = '', blanks = ''] = DEFINITION.exec(text) ?? [];
  if (mark === undefined || !isBelowText(source, start)) return undefined;
  // Behind more blanks, the content would be code.
  return { marker: `${prefix}-${blanks.slice(0, WIDEST)}`, content: start + mark.length };
}

/** Whether a text stands above a line, with one blank line between them at most. */
function isBelowText(source: string, start: number): boolean {
  const before = source.slice(Math.max(0, start - 100), start);
  const blanks = before.slice(before.trimEnd().length);
  return blanks.length < before.length && blanks.split(/\r\n?|\n/).length <= 3;
}
