import type { FoundCandidate } from './passage-objects.js';

/** Where a candidate was when it was found. */
export interface CandidatePlace {
  readonly key: string;
  readonly generation: string;
  readonly position: number;
}

/** The most candidates that are remembered: those of some dozens of searches. */
const REMEMBERED = 50_000;

/** Where the candidates of the last searches were, so that reading them takes one round trip. */
export class Candidates {
  /** Least recently found first. */
  readonly #places = new Map<number, CandidatePlace>();

  remember(passages: Iterable<FoundCandidate>): void {
    for (const { properties } of passages) {
      const { number, key, generation, position } = properties;
      this.#places.delete(number);
      this.#places.set(number, { key, generation, position });
    }
    for (const oldest of this.#places.keys()) {
      if (this.#places.size <= REMEMBERED) break;
      this.#places.delete(oldest);
    }
  }

  /** Undefined if it is not remembered, or was forgotten. */
  find(number: number): CandidatePlace | undefined {
    return this.#places.get(number);
  }
}
