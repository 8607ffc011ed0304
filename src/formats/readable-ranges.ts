import { withoutBlankLines } from './cutting/lines.js';
import type { VisibleSink } from './visible-text.js';

/**
 * Finds what a reader sees of any range of a whole file. It takes four bytes per character in addition to the text,
 * outside the heap; `VisibleTextBuilder` takes more, for a part of a file, and has the range of each character.
 */
export class ReadableRanges implements VisibleSink {
  readonly #source: string;
  readonly #parts: string[] = [];
  /** The offset in the source of each code unit of the text, ascending. */
  #places = new Uint32Array(1024);
  #length = 0;
  /** Where the last text shown ends in the source: separators belong there. */
  #reached = 0;
  #text: string | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  show(start: number, end: number): void {
    this.#add(this.#source.slice(start, end), (i) => start + i);
    this.#reached = end;
  }

  showAs(text: string, { start, end }: { readonly start: number; readonly end: number }): void {
    this.#add(text, () => start);
    this.#reached = end;
  }

  separate(text: string, place = this.#reached): void {
    this.#add(text, () => place);
  }

  beginCode(): void {}

  endCode(): void {}

  /** What a reader sees of the range [start, end) of the source. Lines end with a line feed; none is blank. */
  readonly readable = (start: number, end: number): string => {
    this.#text ??= this.#parts.join('');
    return withoutBlankLines(this.#text.slice(this.#indexOf(start), this.#indexOf(end)));
  };

  #add(text: string, placeOf: (i: number) => number): void {
    this.#parts.push(text);
    const length = this.#length + text.length;
    if (length > this.#places.length) {
      const longer = new Uint32Array(Math.max(length, this.#places.length * 2));
      longer.set(this.#places);
      this.#places = longer;
    }
    for (let i = 0; i < text.length; i++) this.#places[this.#length + i] = placeOf(i);
    this.#length = length;
  }

  /** The index of the first code unit from a place on. */
  #indexOf(place: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#places[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
