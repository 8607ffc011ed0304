/** Rust, with or without attributes for rustdoc: `rust,ignore`. */
const RUST = /^[ \t]*(?:rust|rs)\b/;

/** A line of Rust that rustdoc and mdBook compile and do not show: `# use a::b;`, and `#` alone; `## a` shows `# a`. */
const HIDDEN_LINE = /^[ \t>]*#(?:[ \t]|$)/;

/** Whether a line of code is Rust that is not shown. `info` is what follows the mark of the fence. */
export function isHiddenRust(line: string, info: string): boolean {
  return HIDDEN_LINE.test(line) && RUST.test(info);
}
