import { decodeHTML } from 'entities';
import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { type HeadedSection, headingOf } from '../cutting/section.js';
import type { Range } from '../range.js';
import type { VisibleSink } from '../visible-text.js';
import { BOXES, CELLS, CODE, CONTAINERS, CUTS, FLOW, HEADING, IGNORED, VOID } from './elements.js';
import { HiddenElement, isHidden, isNamedNavigation, isPermalink } from './hidden-elements.js';
import { LineOfText } from './line-of-text.js';
import { OutlineBuilder } from './outline.js';

/** The headings and blocks of an HTML text. */
export interface HtmlOutline {
  /** The text of its `<title>`. */
  readonly title: string | undefined;
  /** The text of its first `<h1>`. */
  readonly heading: string | undefined;
  readonly sections: readonly HeadedSection[];
}

/** How the tokenizer reads what follows a start tag. */
const MODES: Readonly<Record<string, Tokenizer['state']>> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  plaintext: TokenizerMode.PLAINTEXT,
};

/** A character reference, white space, other text. */
const PIECES = /&(?:#x?[\da-f]{1,8}|[a-z][\da-z]{0,40});?|\s+|[^&\s]+|&/gi;

/**
 * Reads an HTML text: what a reader sees of it goes to the sink, headings and blocks into the outline. It is read as
 * tokens, in linear time and without recursion, whatever the nesting of its elements.
 */
export function readHtml(source: string, sink: VisibleSink): HtmlOutline {
  const reader = new HtmlReader(source, sink);
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, reader);
  reader.switchTo = (mode) => {
    tokenizer.state = mode;
  };
  tokenizer.write(source, true);
  return reader.outline();
}

/** The handler of the tokens of one text. */
class HtmlReader {
  /** Makes the tokenizer read what follows otherwise. */
  switchTo: (mode: Tokenizer['state']) => void = () => {};
  readonly #source: string;
  readonly #sink: VisibleSink;
  readonly #outline = new OutlineBuilder();
  #title: string | undefined;
  /** Where the text since the last tag or comment starts. */
  #run: number | undefined;
  #hidden: HiddenElement | undefined;
  #isTitle = false;
  /** The lists, tables, quotes and preformatted texts that are open, outermost first. */
  readonly #containers: string[] = [];
  /** How many of them have each name. */
  readonly #open = new Map<string, number>();
  readonly #line: LineOfText;
  /** Cells of the row so far, and whether one of them is a header. */
  #cells = 0;
  #isHeaderRow = false;

  constructor(source: string, sink: VisibleSink) {
    this.#source = source;
    this.#sink = sink;
    this.#line = new LineOfText(sink);
  }

  outline(): HtmlOutline {
    const { title: heading, sections } = this.#outline;
    return { title: this.#title, heading, sections };
  }

  onCharacter({ location }: Token.CharacterToken): void {
    this.#run ??= location?.startOffset;
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token);
  }

  onNullCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token);
  }

  onComment({ location }: Token.CommentToken): void {
    this.#readRun(location?.startOffset);
  }

  onDoctype({ location }: Token.DoctypeToken): void {
    this.#readRun(location?.startOffset);
  }

  onEof(): void {
    this.#readRun(this.#source.length);
    this.#endHeading();
    this.#outline.closeBlock();
  }

  onStartTag({ tagName: name, attrs, selfClosing, location }: Token.TagToken): void {
    const { start, end } = rangeOf(location);
    this.#readRun(start);
    const mode = MODES[name];
    if (mode !== undefined) this.switchTo(mode);
    if (this.#hidden?.endsBefore(name)) this.#hidden = undefined;
    if (this.#hidden) {
      if (!VOID.has(name) && !selfClosing) this.#hidden.start(name);
      return;
    }
    const isGuess = isNamedNavigation({ name, attrs });
    if (isGuess || IGNORED.has(name) || isHidden(attrs) || isPermalink({ name, attrs, end }, this.#source)) {
      if (!VOID.has(name) && !selfClosing) this.#hidden = new HiddenElement(name, { isGuess });
      if (FLOW.has(name)) this.#startLine(start);
      else if (BOXES.has(name)) this.#line.edge(start);
    } else if (name === 'title') this.#isTitle = true;
    else if (HEADING.test(name)) this.#startHeading(start, Number(name[1]));
    else if (FLOW.has(name)) this.#startFlow(name, start);
    else this.#startInline(name, { start, end, attrs });
  }

  onEndTag({ tagName: name, location }: Token.TagToken): void {
    const { start, end } = rangeOf(location);
    this.#readRun(start);
    const ended = this.#hidden?.end(name);
    if (ended === 'inner') return;
    this.#hidden = undefined;
    if (ended === 'own') return;
    if (name === 'title') this.#isTitle = false;
    else if (HEADING.test(name)) {
      this.#outline.reach(end);
      this.#endHeading();
    } else if (FLOW.has(name)) this.#endFlow(name, end);
    else {
      if (CODE.has(name)) this.#sink.endCode();
      this.#outline.reach(end);
    }
  }

  #startHeading(start: number, depth: number): void {
    this.#endHeading();
    this.#line.end();
    this.#outline.closeBlock();
    this.#outline.startHeading(start, depth);
  }

  #endHeading(): void {
    this.#line.end();
    this.#outline.endHeading();
  }

  /** Starts a line and, outside of containers, a block. */
  #startLine(start: number): void {
    if (this.#outline.hasHeading) this.#endHeading();
    this.#line.end();
    if (this.#containers.length > 0) {
      this.#outline.startBy(start);
      return;
    }
    this.#outline.closeBlock();
    this.#outline.startAt(start);
  }

  #startFlow(name: string, start: number): void {
    this.#startLine(start);
    if (CONTAINERS.has(name)) {
      this.#containers.push(name);
      this.#open.set(name, this.#openOf(name) + 1);
      if (name === 'pre') this.#sink.beginCode();
    }
    if (name === 'tr') {
      this.#cells = 0;
      this.#isHeaderRow = false;
    }
    if (CUTS.has(name)) this.#outline.cut(start);
  }

  #endFlow(name: string, end: number): void {
    if (this.#outline.hasHeading) this.#endHeading();
    this.#line.end();
    this.#outline.reach(end);
    if (name === 'pre') this.#sink.endCode();
    if (CONTAINERS.has(name) && this.#openOf(name) > 0) {
      for (let closed: string | undefined; closed !== name; ) {
        closed = this.#containers.pop() as string;
        this.#open.set(closed, this.#openOf(closed) - 1);
      }
    }
    if (this.#containers.length > 0) return;
    this.#outline.closeBlock();
    this.#outline.startAt(undefined);
  }

  #openOf(name: string): number {
    return this.#open.get(name) ?? 0;
  }

  #startInline(name: string, { start, end, attrs }: Range & { readonly attrs: Token.TagToken['attrs'] }): void {
    this.#outline.startBy(start);
    if (name === 'br') this.#line.end();
    else if (CODE.has(name)) this.#sink.beginCode();
    else if (CELLS.has(name)) {
      if (name === 'th') this.#isHeaderRow = true;
      if (this.#isHeaderRow && this.#outline.isUncut) this.#outline.markHeader();
      if (this.#cells++ > 0) this.#line.endCell();
    } else if (name === 'img') {
      const alt = attrs.find((attribute) => attribute.name === 'alt')?.value.trim();
      this.#line.edge(start);
      if (alt) this.#showAs(alt, { start, end, isImage: true });
      this.#line.edge(end);
    } else if (BOXES.has(name)) this.#line.edge(start);
  }

  /** Shows the text up to an offset. */
  #readRun(end = this.#source.length): void {
    const start = this.#run;
    this.#run = undefined;
    if (start === undefined || this.#hidden) return;
    const text = this.#source.slice(start, end);
    if (this.#isTitle) {
      this.#title ??= headingOf(decodeHTML(text)) || undefined;
      return;
    }
    const isPreformatted = this.#openOf('pre') > 0;
    for (const { 0: piece, index } of text.matchAll(PIECES)) {
      const range = { start: start + index, end: start + index + piece.length };
      const isBlank = /^\s/.test(piece);
      if (isBlank && this.#line.isStart) continue;
      if (isBlank && isPreformatted) this.#line.keepSpace();
      if (isBlank && !isPreformatted) this.#line.space(range);
      else if (piece.startsWith('&') && piece.length > 1) this.#showAs(decodeHTML(piece), range);
      else this.#show(range);
    }
  }

  #show({ start, end }: Range): void {
    this.#add(this.#source.slice(start, end), { start, end });
    this.#sink.show(start, end);
  }

  #showAs(text: string, { start, end, isImage = false }: Range & { readonly isImage?: boolean }): void {
    this.#add(text, { start, end, isImage });
    this.#sink.showAs(text, { start, end });
  }

  #add(text: string, { start, end, isImage = false }: Range & { readonly isImage?: boolean }): void {
    const separator = this.#line.add(text);
    const [outermost = ''] = this.#containers;
    const subtype = CONTAINERS.get(outermost) ?? 'paragraph';
    const hasHeader = this.#isHeaderRow && outermost === 'table';
    this.#outline.add(`${separator}${text}`, { start, end, subtype, hasHeader, isImage });
  }
}

function rangeOf(location: Token.Location | null): Range {
  return { start: location?.startOffset ?? 0, end: location?.endOffset ?? 0 };
}
