import type { Neighbour } from '../passage.js';

/**
 * The best so many of the neighbours offered, in memory of that size: a binary heap with the worst kept on top. Order
 * is total (greater score first, then smaller id), so what is kept does not depend on the order of the offers.
 */
export class Nearest {
  readonly #limit: number;
  readonly #heap: Neighbour[] = [];
  /** A lower score is not kept, whatever its id. */
  worst = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(id: number, score: number): void {
    const heap = this.#heap;
    if (heap.length < this.#limit) {
      heap.push({ id, score });
      this.#rise(heap.length - 1);
    } else {
      const top = heap[0];
      if (top === undefined || compare({ id, score }, top) >= 0) return;
      heap[0] = { id, score };
      this.#sink();
    }
    if (heap.length === this.#limit) this.worst = heap[0]?.score ?? this.worst;
  }

  /** Best first. */
  sorted(): Neighbour[] {
    return this.#heap.toSorted(compare);
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfWorse(at, parent)) return;
      at = parent;
    }
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const [a, b] = [this.#heap[left], this.#heap[left + 1]];
      if (a === undefined) return;
      const child = b !== undefined && compare(b, a) > 0 ? left + 1 : left;
      if (!this.#swapIfWorse(child, at)) return;
      at = child;
    }
  }

  /** Puts the worse of the two, where it is the child, above. */
  #swapIfWorse(child: number, parent: number): boolean {
    const [a, b] = [this.#heap[child], this.#heap[parent]];
    if (a === undefined || b === undefined || compare(a, b) <= 0) return false;
    this.#heap[child] = b;
    this.#heap[parent] = a;
    return true;
  }
}

/** Negative when `a` comes before `b`. */
function compare(a: Neighbour, b: Neighbour): number {
  return b.score - a.score || a.id - b.id;
}
