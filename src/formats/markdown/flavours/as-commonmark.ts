import type { Range } from '../../range.js';
import { dotsOfFrontMatter, frontMatterEnd, frontMatterStart } from '../front-matter-end.js';
import { Boxes } from './boxes.js';
import { Closers } from './closers.js';
import { CodeSpans } from './code-spans.js';
import { Edits } from './edits.js';
import { Elements } from './elements.js';
import { beginsEsm, hasImports } from './esm.js';
import { Fences } from './fences.js';
import { isDoxygen } from './generators/doxygen.js';
import { isElastic } from './generators/elastic.js';
import { GitBook } from './generators/gitbook.js';
import { isMdn } from './generators/mdn.js';
import { hideRole, isMyst, Myst } from './generators/myst.js';
import { definitionAt, GridTables, isRawHtml } from './generators/pandoc.js';
import { CellOptions, isCell } from './generators/quarto.js';
import { hideLineOfBlock } from './generators/readme.js';
import { isHiddenRust } from './generators/rustdoc.js';
import { INCLUDES, type Inline, inlineMark } from './inline-marks.js';
import { hideLineMarks, type Line, type LineReading } from './line-marks.js';
import { prefixLength } from './places.js';
import { Jsx } from './tags.js';

/** A text that CommonMark reads as its flavour would be read. */
export interface CommonMark {
  /**
   * Has the length of the source, and its lines at the same offsets, except that a heading in HTML becomes one line.
   */
  readonly text: string;
  /** Whether it is MDX, where tags are not HTML and indented lines are not code. */
  readonly isMdx: boolean;
  /** The boxes of the text, such as admonitions. */
  readonly boxes: readonly Range[];
}

/** Where a mark may begin. */
const INTERESTING = /[`\\<{[:%^$@]/g;

/** How a text is read. */
interface AsCommonMarkOptions {
  readonly mdx: boolean;
  /** Whether it is a part of a file, which may end inside of an element. Defaults to false. */
  readonly isPart?: boolean;
}

/**
 * Replaces the marks of flavours of markdown that CommonMark does not know: MDX, directives, admonitions, MyST, marks
 * of Elastic, blocks of ReadMe, DocFX, commands of Doxygen, grid tables and definitions of Pandoc, options of Quarto,
 * macros of MDN, shortcodes of Hugo and Grav, Liquid, includes of mdBook, wikilinks and comments of Obsidian,
 * attributes of kramdown, formulas. The marks in a file show which flavours it uses. What a reader does not see becomes
 * `HIDDEN`; a mark with a CommonMark equivalent becomes that equivalent.
 */
export function asCommonMark(source: string, { mdx, isPart = false }: AsCommonMarkOptions): CommonMark {
  const isMdx = mdx || hasImports(source);
  const reading = new Reading(source, { isMdx, isPart });
  return { text: reading.text(), isMdx, boxes: reading.boxes.found };
}

/** One pass over a source, line by line. */
class Reading {
  readonly boxes: Boxes;
  readonly #source: string;
  readonly #edits: Edits;
  readonly #fences = new Fences();
  readonly #elements: Elements;
  readonly #inline: Inline;
  readonly #myst: Myst | undefined;
  readonly #grids: GridTables;
  readonly #isPart: boolean;
  readonly #lineReading: LineReading;
  /** The options of the cell of code that was opened last. */
  #cell: CellOptions | undefined;
  /** The offset up to which marks are dealt with. */
  #reached = 0;
  /** Where the next mark may begin, which is often many lines further. */
  #mark = -1;
  /** Whether the line before belongs to an import or export. */
  #inEsm = false;
  #braces = 0;
  #isAfterBlank = false;

  constructor(source: string, { isMdx, isPart }: { readonly isMdx: boolean; readonly isPart: boolean }) {
    this.#source = source;
    this.#isPart = isPart;
    this.#edits = new Edits(source);
    const closers = new Closers(source);
    this.#elements = new Elements(source, { closers, isPart });
    const isOfElastic = !isMdx && isElastic(source);
    this.#myst = isOfElastic || (!isMdx && isMyst(source)) ? new Myst(this.#edits) : undefined;
    const readRow = (row: string) => new Reading(row, { isMdx, isPart }).text();
    this.boxes = new Boxes({ isMyst: this.#myst !== undefined });
    this.#grids = new GridTables(source, { edits: this.#edits, readRow });
    const readMarks = (start: number, end: number) => this.#marks(start, end);
    this.#lineReading = { source, edits: this.#edits, readMarks };
    this.#inline = {
      source,
      isMdx,
      edits: this.#edits,
      closers,
      spans: new CodeSpans(source),
      jsx: new Jsx(source),
      isMdn: isMdn(source),
      isDoxygen: isDoxygen(source),
      isElastic: isOfElastic,
      isNote: /^[ \t]*%%|\[\[[^[\]\n]+\]\]/m.test(source),
      gitBook: new GitBook(),
      joinedUntil: 0,
    };
  }

  text(): string {
    let start = this.#frontMatter();
    const lineEnd = /\r\n?|\n|$/g;
    while (start < this.#source.length) {
      lineEnd.lastIndex = start;
      const { index: end, 0: ending } = lineEnd.exec(this.#source) as RegExpExecArray;
      const next = end + ending.length;
      this.#line(start, end);
      if (end >= this.#reached && next <= this.#inline.joinedUntil) {
        this.#edits.overwrite(end, next, '');
        this.#reached = next;
      }
      start = next;
    }
    return this.#edits.result();
  }

  /** Writes the marks of front matter as CommonMark has them. Returns its end: it has no markdown. */
  #frontMatter(): number {
    const dots = dotsOfFrontMatter(this.#source);
    if (dots !== undefined) {
      this.#edits.overwrite(dots, dots + 3, '---');
      return dots + 3;
    }
    const end = frontMatterEnd(this.#source);
    const start = end > 0 ? frontMatterStart(this.#source) : 0;
    if (start > 0) this.#edits.overwrite(0, start + 3, '+++');
    return end;
  }

  #line(start: number, end: number): void {
    // A mark that began on an earlier line ends after this one.
    if (this.#reached >= end && this.#reached > start) return;
    const isWhole = this.#reached <= start;
    const text = this.#source.slice(start, end);
    if (isWhole && start >= this.#inline.joinedUntil) {
      this.#wholeLine({ text, start }, end);
    } else {
      this.#marks(Math.max(start, this.#reached), end);
    }
    this.#reach(end);
  }

  #wholeLine(line: Line, end: number): void {
    const { text, start } = line;
    const isCode = this.#fences.isInside(text);
    if (!isCode) this.boxes.take(line);
    const myst = isCode ? undefined : this.#myst?.take(line);
    if (myst !== undefined) {
      this.#marks(myst, end);
      return;
    }
    const { marker, content } = this.#definition(line) ?? { marker: '', content: start };
    const rest = { text: text.slice(content - start), start: content };
    if (this.#fences.take(marker + rest.text)) this.#code(rest, end);
    else if (this.#inline.isMdx && this.#isEsm(text)) this.#edits.hide(start, end);
    else this.#marks(this.#block(rest), end);
  }

  /** Makes a definition a list item. */
  #definition(line: Line): ReturnType<typeof definitionAt> {
    const definition = definitionAt(line, this.#source);
    if (!definition || this.#fences.isInside(line.text)) return undefined;
    this.#edits.replace(line.start, definition.content, definition.marker);
    return definition;
  }

  /** Hides the marks that a line begins with or is. Returns the offset up to which it is read. */
  #block(line: Line): number {
    const inside = this.#elements.hideIndentation(line, this.#edits);
    if (inside > line.start) return inside;
    const block = this.#isPart ? hideLineOfBlock(line, { source: this.#source, edits: this.#edits }) : undefined;
    if (block !== undefined) return block;
    return this.#grids.rewrite(line) ?? hideLineMarks(line, this.#lineReading);
  }

  #marks(from: number, end: number): void {
    this.#reach(from);
    while (this.#reached < end) {
      if (this.#mark < this.#reached) {
        INTERESTING.lastIndex = this.#reached;
        this.#mark = INTERESTING.exec(this.#source)?.index ?? this.#source.length;
      }
      if (this.#mark >= end) return;
      const read = this.#role(this.#mark) || inlineMark(this.#inline, this.#mark);
      this.#reach(Math.max(this.#mark + 1, read));
    }
  }

  /** In MDX, braces are an expression. */
  #role(at: number): number {
    if (this.#inline.isMdx || this.#source.charAt(at) !== '{') return 0;
    return hideRole(this.#inline, at, { isMyst: this.#myst !== undefined });
  }

  #code({ text, start }: Line, end: number): void {
    const { info, isOpening, isOpen } = this.#fences;
    if (!this.#inline.isMdx && isRawHtml(info)) {
      if (isOpening || !isOpen) this.#edits.hide(start + prefixLength(text), end);
      else this.#marks(this.#block({ text, start }), end);
      return;
    }
    if (this.#myst?.takeCode({ text, start }, { isOpening })) return;
    if (isOpening) this.#cell = isCell(info) ? new CellOptions(this.#edits) : undefined;
    else if (this.#cell?.take({ text, start })) return;
    if (isHiddenRust(text, info)) this.#edits.hide(start + prefixLength(text), start + text.length);
    for (const { index, 0: mark } of text.matchAll(INCLUDES)) {
      this.#edits.hide(start + index, start + index + mark.length);
    }
  }

  /**
   * Whether a line belongs to an import or export, which ends at a blank line outside of braces; or at a heading after
   * any blank line, since braces in strings and comments are counted, too.
   */
  #isEsm(line: string): boolean {
    if (!this.#inEsm && !beginsEsm(line)) return false;
    if (!this.#inEsm) this.#braces = 0;
    else if (this.#isAfterBlank && /^#{1,6} /.test(line)) {
      this.#inEsm = false;
      return false;
    }
    const isBlank = line.trim() === '';
    this.#braces += line.split('{').length - line.split('}').length;
    this.#inEsm = !isBlank || this.#braces > 0;
    this.#isAfterBlank = isBlank;
    return this.#inEsm && !isBlank;
  }

  #reach(offset: number): void {
    this.#reached = Math.max(this.#reached, offset);
  }
}
