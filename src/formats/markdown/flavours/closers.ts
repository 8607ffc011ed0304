import type { Range } from '../../range.js';

/**
 * Finds the next end of a mark. It remembers what it found, so that marks without an end take linear time together:
 * ask for ascending positions.
 */
export class Closers {
  readonly #source: string;
  readonly #found = new Map<string, number>();
  readonly #matches = new Map<string, Range | undefined>();

  constructor(source: string) {
    this.#source = source;
  }

  /** The first offset of `closer` at or after `from`; -1 if there is none. */
  next(closer: string, from: number): number {
    const known = this.#found.get(closer);
    if (known !== undefined && (known === -1 || known >= from)) return known;
    const found = this.#source.indexOf(closer, from);
    this.#found.set(closer, found);
    return found;
  }

  /** The first match of a global pattern at or after `from`; undefined if there is none. */
  match(pattern: RegExp, from: number): Range | undefined {
    const known = this.#matches.get(pattern.source);
    if (known ? known.start >= from : this.#matches.has(pattern.source)) return known;
    pattern.lastIndex = from;
    const match = pattern.exec(this.#source);
    const found = match ? { start: match.index, end: match.index + match[0].length } : undefined;
    this.#matches.set(pattern.source, found);
    return found;
  }
}
