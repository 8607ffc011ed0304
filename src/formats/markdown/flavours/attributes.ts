/** An id, a class, a pair, a data attribute, or the dash of Pandoc that leaves a heading without a number. */
const ATTRIBUTE = '(?:[#.][\\w.:/-]+|[\\w:-]+=(?:"[^"\\n]*"|\'[^\'\\n]*\'|[^\\s"\'{}]+)|data-[\\w-]+|-)';

/** `{ #id .class key="value" }` */
const LIST = new RegExp(`^\\{[ \\t]*${ATTRIBUTE}(?:[ \\t]+${ATTRIBUTE})*[ \\t]*\\}`);

/** Pairs on a line of their own, which belong to the block above: `{style="note"}`. */
const PAIRS_ALONE = /^\{[ \t]*(?:[\w:-]+=(?:"[^"\n]*"|'[^'\n]*')[ \t]*)+\}[ \t]*(?=[\r\n]|$)/;

/** The beginning of a line after a text, code or a quote, which a line of HTML is not. */
const BELOW_BLOCK = /(?:^|[\r\n])(?:[ \t]*>[^\r\n]*|[^\r\n]*[^\s>])[ \t]*(?:\r\n?|\n)[ \t>]*$/;

/** `{.class}` and what follows it, `{: .class #id}`: attributes anywhere in a text. */
const ANYWHERE = /^\{(?:[ \t]*\.[A-Za-z][\w-]*(?:[ \t][^{}\n]*)?|:[ \t]*[.#\w][^{}\n]*)\}/;

/** `{#anchor}` at the end of a line. */
const ANCHOR = /^\{[ \t]*#[\w.:-]+(?:[ \t][^{}\n]*)?\}(?=[ \t]*#*[ \t]*(?:[\r\n]|$))/;

const ENDS_LINE = /^[ \t]*#*[ \t]*(?:[\r\n]|$)/;

/** What comes before something on the line of a heading. */
const HEADING = /(?:^|[\n\r])[ \t>]*#{1,6}[ \t][^\r\n]*$/;

/**
 * The length of the attributes that `after` begins with; 0 if it begins with none. Braces with other pairs are
 * attributes only after what may have some: a heading, a link, an image or a code span.
 */
export function attributesLength(before: string, after: string): number {
  const [mark] = ANYWHERE.exec(after) ?? ANCHOR.exec(after) ?? [];
  if (mark !== undefined) return mark.length;
  const [alone] = PAIRS_ALONE.exec(after) ?? [];
  if (alone !== undefined && BELOW_BLOCK.test(before)) return alone.length;
  const [list] = LIST.exec(after) ?? [];
  if (list === undefined) return 0;
  // Behind other attributes, too.
  const isBehind = /(?:[\]`]|\)(?:\{[^{}\n]*\})?)$/.test(before);
  return isBehind || (ENDS_LINE.test(after.slice(list.length)) && HEADING.test(before)) ? list.length : 0;
}
