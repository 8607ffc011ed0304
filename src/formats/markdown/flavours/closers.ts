/**
 * Finds the next end of a mark. It remembers what it found, so that marks without an end take linear time together:
 * ask for ascending positions.
 */
export class Closers {
  readonly #source: string;
  readonly #found = new Map<string, number>();

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
}
