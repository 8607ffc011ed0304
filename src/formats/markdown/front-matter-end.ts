const FRONT_MATTER = /^(---|\+\+\+)[ \t]*(?:\r\n?|\n)(?:[\s\S]*?[\r\n])??\1[ \t]*(?:\r\n?|\n|$)/;

/** Blank lines above TOML, which Zola and Hugo allow, and the mark and the first field of it. */
const ABOVE_TOML = /^[ \t\r\n]*[\r\n](?=\+{3}[ \t]*(?:\r\n?|\n)["'\w.-]+[ \t]*=)/;

/** A mark with a blank line after it, and then neither a field nor the mark again: a line across the page. */
const BREAK =
  /^(?:-{3}|\+{3})[ \t]*(?:\r\n|\r(?!\n)|\n)(?:[ \t]*[\r\n])+(?=\S)(?!["'\p{L}\p{N}_-]+[ \t]*[:=]|-{3}|\+{3})/u;

/** YAML without a blank line, up to three dots that end it, as Pandoc has it. */
const UP_TO_DOTS =
  /^---[ \t]*(?:\r\n?|\n)(?=["'\w-]+[ \t]*:)(?:(?!---[ \t]*[\r\n])[^\r\n]+(?:\r\n?|\n))+?(?=\.{3}[ \t]*(?:[\r\n]|$))/;

/** The offset of the three dots that end the front matter of a text; undefined if dashes or pluses do. */
export function dotsOfFrontMatter(text: string): number | undefined {
  return UP_TO_DOTS.exec(text)?.[0].length;
}

/** Where the front matter of a text without byte order marks starts: after blank lines, if it is TOML. */
export function frontMatterStart(text: string): number {
  return ABOVE_TOML.exec(text)?.[0].length ?? 0;
}

/** The offset after the front matter that a text without byte order marks begins with; 0 if it has none. */
export function frontMatterEnd(text: string): number {
  if (BREAK.test(text)) return 0;
  const start = frontMatterStart(text);
  const [frontMatter] = FRONT_MATTER.exec(text.slice(start)) ?? [];
  return frontMatter === undefined ? 0 : start + frontMatter.length;
}
