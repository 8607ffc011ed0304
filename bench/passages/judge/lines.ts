/** What a line of markdown is. `open` and `close` are fences; `code` is between them; `hidden` is never shown. */
export type LineKind = 'text' | 'blank' | 'open' | 'code' | 'close' | 'indented' | 'comment' | 'module' | 'hidden';

export interface Line {
  readonly kind: LineKind;
  /** Offset of the first character. */
  readonly start: number;
  /** Offset after the last character, without the line break. */
  readonly end: number;
  /** Offset after the marks of the quotes and list items that the line is in, and the indentation they need. */
  readonly inner: number;
}

export interface Scan {
  readonly lines: readonly Line[];
  /** Whether a fence is open at the end, or ends only because its quote or list item does. */
  readonly unclosed: boolean;
}

export interface ScanOptions {
  /** In MDX an indented line is no code. */
  readonly mdx: boolean;
  /** Whether the text is a whole file, which may begin with front matter and, in MDX, have imports and exports. */
  readonly whole?: boolean;
}

/** A blockquote, or what needs an indentation: a list item, or an admonition or tab of MkDocs. */
type Container = 'quote' | { readonly indent: number };

interface Fence {
  readonly mark: string;
  readonly depth: number;
}

const OPENING = /^(`{3,}(?=[^`]*$)|~{3,})/;
const ITEM = /^(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)/;
const RULE = /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const MKDOCS = /^(?:!!!|\?\?\?\+?|===[!+]?)[ \t]+["\w]/;
const IMPORT = /^import\s*(?:['"]|[\w*{][^'"]*\sfrom\s*['"]|\{?\s*$|\{[^}]*$)/;
const EXPORT = /^export\s+(?:\*|\{|(?:default|const|let|var|async|function|class)\b)/;
const HEADING = /^#{1,6}(?:[ \t]|$)/;

/** What hides lines: how its first line begins, and what its last contains. */
const HIDING: readonly { readonly from: RegExp; readonly to: RegExp; readonly kind: LineKind }[] = [
  { from: /^<!--/, to: /-->/, kind: 'comment' },
  { from: /^\{\/\*/, to: /\*\/\}/, kind: 'comment' },
  { from: /^\{%-?\s*comment\s*-?%\}/, to: /\{%-?\s*endcomment\s*-?%\}/, kind: 'comment' },
  { from: /^<(?:script|style)\b/i, to: /<\/(?:script|style)\s*>/i, kind: 'hidden' },
];

/**
 * Tells what each line of a markdown text is, by the rules of CommonMark for fences in quotes and lists, and those of
 * MDX and MkDocs for indentation. It knows no inline markup, and of HTML blocks only comments, scripts and styles: a
 * fence right below a tag is a fence, as its author meant.
 */
export function scanLines(text: string, options: ScanOptions): Scan {
  return new Scanner(options).scan(text, options.whole ?? false);
}

class Scanner {
  readonly #mdx: boolean;
  readonly #modules: boolean;
  readonly #lines: Line[] = [];
  #containers: Container[] = [];
  #fence: Fence | undefined;
  #unclosed = false;
  /** The end of what hides the following lines; a blank line ends a block of imports. */
  #hidden: { readonly to: RegExp; readonly kind: LineKind } | undefined;
  /** Whether the line before is text that the next line can continue. */
  #paragraph = false;

  constructor({ mdx, whole = false }: ScanOptions) {
    this.#mdx = mdx;
    this.#modules = mdx && whole;
  }

  scan(text: string, whole: boolean): Scan {
    const matter = whole
      ? (/^\uFEFF?(---|\+\+\+)[ \t]*\r?\n[\s\S]*?\n\1[ \t]*(?=\r?\n|$)/.exec(text)?.[0].length ?? 0)
      : 0;
    let start = 0;
    for (const { index } of text.matchAll(/\n|$/g)) {
      const end = text[index - 1] === '\r' && index > start ? index - 1 : index;
      if (start < matter) this.#lines.push({ kind: 'hidden', start, end, inner: start });
      else this.#add(text.slice(start, end), start);
      start = index + 1;
    }
    return { lines: this.#lines, unclosed: this.#unclosed || this.#fence !== undefined };
  }

  #add(line: string, start: number): void {
    const [kind, inner] = this.#read(line);
    this.#paragraph = kind === 'text' && !HEADING.test(line.slice(inner).trim());
    this.#lines.push({ kind, start, end: start + line.length, inner: start + inner });
  }

  /** The kind of a line, and where its own text begins. */
  #read(line: string): [LineKind, number] {
    const blank = line.trim() === '';
    if (this.#hidden) {
      const { to, kind } = this.#hidden;
      if (kind === 'module' ? blank : to.test(line)) this.#hidden = undefined;
      return [blank ? 'blank' : kind, 0];
    }
    let [depth, at] = this.#matched(line, blank);
    if (this.#fence && depth < this.#fence.depth) {
      this.#fence = undefined;
      this.#unclosed = true;
    }
    if (this.#fence) return [this.#inFence(line.slice(at)), at];
    if (blank || line.slice(at).trim() === '') {
      this.#containers.length = blank ? this.#containers.length : depth;
      return ['blank', at];
    }
    const lazy = this.#paragraph && depth < this.#containers.length && !this.#begins(line.slice(at));
    if (lazy) return ['text', at];
    this.#containers.length = depth;
    at = this.#enter(line, at);
    return [this.#kindOf(line.slice(at)), at];
  }

  /** How many of the open containers the line is in, and where its text begins. */
  #matched(line: string, blank: boolean): [depth: number, at: number] {
    let at = 0;
    let depth = 0;
    for (const container of this.#containers) {
      if (container === 'quote') {
        const mark = /^ {0,3}>[ \t]?/.exec(line.slice(at))?.[0];
        if (mark === undefined) break;
        at += mark.length;
      } else if (!blank) {
        if (columnsOf(line.slice(at)) < container.indent && line.slice(at).trim() !== '') break;
        at += lengthOf(line.slice(at), container.indent);
      }
      depth += 1;
    }
    return [depth, at];
  }

  #inFence(rest: string): LineKind {
    const { mark = '' } = this.#fence ?? {};
    const closing = this.#mdx ? /^[ \t]*([`~]+)[ \t]*$/.exec(rest) : /^ {0,3}([`~]+)[ \t]*$/.exec(rest);
    if (!closing?.[1]?.startsWith(mark) || new Set(closing[1]).size > 1) return 'code';
    this.#fence = undefined;
    return 'close';
  }

  /** Whether a line ends the paragraph before it, though its containers do not continue. */
  #begins(rest: string): boolean {
    const text = rest.trim();
    if (this.#indented(rest)) return false;
    return OPENING.test(text) || ITEM.test(text) || /^>/.test(text) || HEADING.test(text) || RULE.test(text);
  }

  #indented(rest: string): boolean {
    return !this.#mdx && columnsOf(rest) >= 4;
  }

  /** Opens the quotes and list items that begin on a line. Returns where their text begins. */
  #enter(line: string, from: number): number {
    let at = from;
    for (;;) {
      const rest = line.slice(at);
      if (this.#indented(rest)) return at;
      const indent = columnsOf(rest);
      const text = rest.trimStart();
      const quote = /^>[ \t]?/.exec(text)?.[0];
      const item = RULE.test(text) ? null : ITEM.exec(text);
      if (quote !== undefined) {
        this.#containers.push('quote');
        at += rest.length - text.length + quote.length;
      } else if (item && !(this.#paragraph && at === from && item[1] !== undefined && Number(item[1]) !== 1)) {
        const after = text.slice(item[0].length);
        const gap = columnsOf(after);
        const width = after.trim() === '' || gap > 4 ? 1 : gap;
        this.#containers.push({ indent: indent + item[0].length + width });
        at += rest.length - text.length + item[0].length + lengthOf(after, width);
      } else {
        return at;
      }
      this.#paragraph = false;
    }
  }

  #kindOf(rest: string): LineKind {
    if (rest.trim() === '') return 'blank';
    if (this.#indented(rest)) return this.#paragraph ? 'text' : 'indented';
    const text = rest.trim();
    const mark = OPENING.exec(text)?.[1];
    if (mark !== undefined) {
      this.#fence = { mark, depth: this.#containers.length };
      return 'open';
    }
    if (!this.#mdx && MKDOCS.test(text)) this.#containers.push({ indent: columnsOf(rest) + 4 });
    const hiding = HIDING.find(({ from }) => from.test(text));
    if (hiding) {
      // What follows the end on its line is shown: the line counts as text.
      const [, ...after] = text.split(hiding.to);
      if (after.join('').trim() !== '') return 'text';
      if (after.length === 0) this.#hidden = hiding;
      return hiding.kind;
    }
    const outermost = !this.#paragraph && this.#containers.length === 0;
    if (this.#modules && outermost && (IMPORT.test(rest) || EXPORT.test(rest))) {
      this.#hidden = { to: /^$/, kind: 'module' };
      return 'module';
    }
    return 'text';
  }
}

/** Columns of the indentation; a tab counts as four. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (character !== ' ' && character !== '\t') break;
    columns += character === '\t' ? 4 : 1;
  }
  return columns;
}

/** Characters of the indentation that make up so many columns. */
function lengthOf(text: string, columns: number): number {
  let [length, seen] = [0, 0];
  while (seen < columns && (text[length] === ' ' || text[length] === '\t')) {
    seen += text[length] === '\t' ? 4 : 1;
    length += 1;
  }
  return length;
}
