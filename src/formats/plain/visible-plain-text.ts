import { type See, type VisibleText, VisibleTextBuilder } from '../visible-text.js';

/**
 * A text without markup. A line break inside a paragraph is a blank. One before a list marker or another mark ends a
 * block, and so does one after the end of a line of code.
 */
export function plainlyVisible(source: string): VisibleText {
  const seen = new VisibleTextBuilder(
    source.replace(/\r?\n(?=["'(`*_[]{0,3}[\p{L}\p{N}])(?!\d+[.)])(?<![;{}]\s*)/gu, (ending) =>
      ' '.repeat(ending.length),
    ),
  );
  seen.show(0, source.length);
  return seen;
}

/** A text whose lines are blocks, such as what is shown of HTML. */
export const seeLines: See = (source) => {
  const seen = new VisibleTextBuilder(source);
  seen.show(0, source.length);
  return seen;
};
