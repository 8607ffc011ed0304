/** The items of one owner, and what it has used. */
interface Line<Item> {
  readonly items: Item[];
  /** In units of `charge`. */
  used: number;
}

/**
 * Hands out the items of many owners in turns: the owner that has used least goes next, whoever has more items waiting
 * (start-time fair queueing: Goyal, Vin, Cheng 1996). An owner that comes back after a pause starts where the others
 * are: it has saved nothing up.
 */
export class Turns<Item> {
  readonly #lines = new Map<unknown, Line<Item>>();
  /** What the owner of the last turn had used when it was taken. */
  #now = 0;
  #size = 0;

  /** Items that wait. */
  get size(): number {
    return this.#size;
  }

  /** Items of an owner that wait. */
  sizeOf(owner: unknown): number {
    return this.#lines.get(owner)?.items.length ?? 0;
  }

  /** Adds an item behind those of its owner. */
  add(owner: unknown, item: Item): void {
    this.#lineOf(owner).items.push(item);
    this.#size += 1;
  }

  /** Returns an item that was taken to the front of those of its owner. */
  putBack(owner: unknown, item: Item): void {
    this.#lineOf(owner).items.unshift(item);
    this.#size += 1;
  }

  /** Takes the next item; undefined if none waits. Owners that are not ready are left out. */
  take(isReady: (owner: unknown) => boolean = () => true): { owner: unknown; item: Item } | undefined {
    let next: { owner: unknown; line: Line<Item> } | undefined;
    for (const [owner, line] of this.#lines) {
      if (line.items.length === 0) {
        // It would start where the others are.
        if (line.used <= this.#now) this.#lines.delete(owner);
      } else if (isReady(owner) && (!next || line.used < next.line.used)) next = { owner, line };
    }
    if (!next) return undefined;
    this.#now = Math.max(this.#now, next.line.used);
    this.#size -= 1;
    return { owner: next.owner, item: next.line.items.shift() as Item };
  }

  /** Records what an owner has used, in any unit that is the same for all. */
  charge(owner: unknown, amount: number): void {
    this.#lineOf(owner).used += amount;
  }

  /** Takes all items, in no particular order. */
  takeAll(): Item[] {
    const items = [...this.#lines.values()].flatMap(({ items }) => items);
    this.#lines.clear();
    this.#size = 0;
    return items;
  }

  #lineOf(owner: unknown): Line<Item> {
    const known = this.#lines.get(owner);
    if (known) {
      if (known.items.length === 0) known.used = Math.max(known.used, this.#now);
      return known;
    }
    const line = { items: [], used: this.#now };
    this.#lines.set(owner, line);
    return line;
  }
}
