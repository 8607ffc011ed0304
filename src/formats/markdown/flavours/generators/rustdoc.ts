/** A line of Rust that rustdoc and mdBook compile and do not show: `# use a::b;`, and `#` alone; `## a` shows `# a`. */
const HIDDEN_LINE = /^[ \t>]*#(?:[ \t]|$)/;

/** Whether a line of Rust is not shown. */
export function isHiddenRust(line: string): boolean {
  return HIDDEN_LINE.test(line);
}
