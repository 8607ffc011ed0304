const OPENING = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)(`{3,}(?=[^`]*$)|~{3,})/;

/** Follows fenced code from line to line. Lines in quotes and lists count, whatever they are indented by. */
export class Fences {
  #open: { readonly mark: string; readonly isQuoted: boolean; readonly indent: number } | undefined;

  /** Whether a line is inside a fence or is one. Give it the lines one after the other. */
  take(line: string): boolean {
    const closing = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
    if (this.#open && closing?.startsWith(this.#open.mark)) {
      this.#open = undefined;
      return true;
    }
    if (this.#open && isOutside(line, this.#open)) this.#open = undefined;
    if (this.#open) return true;
    if (!line.includes('```') && !line.includes('~~~')) return false;
    const [, prefix = '', mark] = OPENING.exec(line) ?? [];
    if (mark === undefined) return false;
    // What is indented by four columns is in an item of a list, and the code is seldom indented less.
    const indented = prefix.length >= 4 ? prefix.length - 1 : 0;
    this.#open = { mark, isQuoted: prefix.includes('>'), indent: /[^ \t>]/.test(prefix) ? prefix.length : indented };
    return true;
  }
}

/** Whether a line ends the quote or the list item that a fence is in, and so the fence. */
function isOutside(
  line: string,
  { isQuoted, indent }: { readonly isQuoted: boolean; readonly indent: number },
): boolean {
  if (isQuoted) return !/^[ \t]*>/.test(line);
  const [blanks = ''] = /^[ \t]*/.exec(line) ?? [];
  return blanks.length < line.length && blanks.replaceAll('\t', '    ').length < indent;
}
