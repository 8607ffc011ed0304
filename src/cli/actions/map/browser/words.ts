import type { MapPassage } from '../map-data.js';

/** The passages whose text or breadcrumb has all words that are typed, in any case, or parts of words. */
export class Words {
  readonly #passages: readonly MapPassage[];
  #folded: readonly string[] | undefined;

  constructor(passages: readonly MapPassage[]) {
    this.#passages = passages;
  }

  /** Numbers of the passages; undefined if nothing is typed. */
  find(typed: string): number[] | undefined {
    const words = folded(typed).split(/\s+/).filter(Boolean);
    if (words.length === 0) return undefined;
    this.#folded ??= this.#passages.map(({ breadcrumb, text }) => folded(`${breadcrumb}\n${text}`));
    return this.#folded.flatMap((text, i) => (words.every((word) => text.includes(word)) ? [i] : []));
  }
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
