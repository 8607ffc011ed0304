const FRONT_MATTER = /^(---|\+\+\+)[ \t]*(?:\r\n?|\n)(?:[\s\S]*?[\r\n])?\1[ \t]*(?:\r\n?|\n|$)/;

/** A mark with a blank line after it, and then neither a field nor the mark again: a line across the page. */
const BREAK =
  /^(?:-{3}|\+{3})[ \t]*(?:\r\n|\r(?!\n)|\n)(?:[ \t]*[\r\n])+(?=\S)(?!["'\p{L}\p{N}_-]+[ \t]*[:=]|-{3}|\+{3})/u;

/** The offset after the front matter that a text without byte order marks begins with; 0 if it has none. */
export function frontMatterEnd(text: string): number {
  return BREAK.test(text) ? 0 : (FRONT_MATTER.exec(text)?.[0].length ?? 0);
}
