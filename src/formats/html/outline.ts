import type { Subtype } from '../../domain/passage.js';
import { type Block, type HeadedSection, headingOf } from '../cutting/section.js';
import { nameInImages } from '../name-in-images.js';

interface OpenBlock {
  readonly start: number;
  end: number;
  readonly subtype: Subtype;
  readonly cuts: number[];
  hasHeader: boolean;
  hasText: boolean;
}

/** Collects the headings and blocks of an HTML text, in order. */
export class OutlineBuilder {
  readonly sections: (HeadedSection & { readonly blocks: Block[] })[] = [{ breadcrumb: [], blocks: [] }];
  /** The text of the first `<h1>`. */
  title: string | undefined;
  readonly #open: { depth: number; text: string }[] = [];
  #heading: { start: number; end: number; depth: number; words: string[]; hasText: boolean } | undefined;
  #block: OpenBlock | undefined;
  #blockStart: number | undefined;

  /** Whether the heading that is open has text. */
  get hasHeading(): boolean {
    return this.#heading !== undefined && this.#heading.words.length > 0;
  }

  /** Whether the block that is open has not been cut. */
  get isUncut(): boolean {
    return this.#block?.cuts.length === 0;
  }

  startHeading(start: number, depth: number): void {
    this.#heading = { start, end: start, depth, words: [], hasText: false };
  }

  endHeading(): void {
    if (!this.#heading) return;
    const { start, end, depth, words, hasText } = this.#heading;
    this.#heading = undefined;
    const seen = headingOf(words.join(''));
    if (seen === '') return;
    const text = hasText ? seen : nameInImages(seen);
    while ((this.#open.at(-1)?.depth ?? 0) >= depth) this.#open.pop();
    this.#open.push({ depth, text });
    if (depth === 1) this.title ??= text || undefined;
    const breadcrumb = this.#open.map((heading) => heading.text).filter(Boolean);
    const heading = { start, end, depth, text, hasMarkers: false };
    this.sections.push({ breadcrumb, blocks: [], heading, headingStart: start });
    this.#blockStart = undefined;
  }

  /** The next block starts at a tag, or else at its text. */
  startAt(start: number | undefined): void {
    this.#blockStart = start;
  }

  /** The next block starts at a tag, unless it does at one before. */
  startBy(start: number): void {
    if (!this.#block && !this.#heading) this.#blockStart ??= start;
  }

  /** Adds text to the heading that is open, or to the block, which it opens if none is. */
  add(text: string, { start, end, subtype, hasHeader, isImage }: AddedText): void {
    if (this.#heading) {
      this.#heading.words.push(text);
      if (!isImage) this.#heading.hasText = true;
      this.#heading.end = end;
      return;
    }
    this.#block ??= { start: this.#blockStart ?? start, end, subtype, cuts: [], hasHeader, hasText: false };
    this.#block.end = end;
    if (!isImage) this.#block.hasText = true;
  }

  /** The heading or block that is open, if any, ends with the tag after its text. */
  reach(end: number): void {
    const open = this.#heading ?? this.#block;
    if (open) open.end = end;
  }

  /** The block that is open, if any, may be cut here. */
  cut(at: number): void {
    this.#block?.cuts.push(at);
  }

  /** The first row of the block that is open is its header. */
  markHeader(): void {
    if (this.#block) this.#block.hasHeader = true;
  }

  closeBlock(): void {
    const block = this.#block;
    this.#block = undefined;
    if (!block) return;
    const { start, end, hasHeader, hasText } = block;
    const cuts = block.cuts.filter((cut) => cut > start && cut < end);
    const [second] = cuts;
    const header = hasHeader && second !== undefined ? { start, end: second } : undefined;
    const subtype = hasText || block.subtype !== 'paragraph' ? block.subtype : 'image';
    this.sections.at(-1)?.blocks.push({ start, end, subtype, ...(cuts.length > 0 && { cuts, header }) });
  }
}

/** The place of a text, and what becomes of a block that it opens. */
interface AddedText {
  readonly start: number;
  readonly end: number;
  readonly subtype: Subtype;
  /** Whether it is in a row with a `<th>`. */
  readonly hasHeader: boolean;
  /** Whether it is what stands for an image. */
  readonly isImage: boolean;
}
