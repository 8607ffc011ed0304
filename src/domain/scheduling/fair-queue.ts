/** The waiting items of one owner, and what it has used. */
interface OwnerQueue<Item> {
  readonly items: Item[];
  /** In units of `charge`. */
  used: number;
}

/**
 * Shares a resource among owners: the next item is that of the owner that has used least, however many items each has
 * waiting (start-time fair queueing: Goyal, Vin, Cheng 1996). An owner that comes back after a pause starts where the
 * others are, and gets no credit for the pause.
 */
export class FairQueue<Item> {
  readonly #queues = new Map<unknown, OwnerQueue<Item>>();
  /** The virtual time: what the owner of the last item had used when the item was taken. */
  #now = 0;
  #size = 0;

  /** Items that wait. */
  get size(): number {
    return this.#size;
  }

  /** Items of an owner that wait. */
  sizeOf(owner: unknown): number {
    return this.#queues.get(owner)?.items.length ?? 0;
  }

  /** Adds an item behind those of its owner. */
  add(owner: unknown, item: Item): void {
    this.#queueOf(owner).items.push(item);
    this.#size += 1;
  }

  /** Puts an item that was taken back in front of those of its owner. */
  putBack(owner: unknown, item: Item): void {
    this.#queueOf(owner).items.unshift(item);
    this.#size += 1;
  }

  /** Takes the next item; undefined if none waits. Owners whose first item is not ready are left out. */
  take(isReady: (owner: unknown, item: Item) => boolean = () => true): { owner: unknown; item: Item } | undefined {
    let next: { owner: unknown; queue: OwnerQueue<Item> } | undefined;
    for (const [owner, queue] of this.#queues) {
      if (queue.items.length === 0) {
        // An empty queue can be dropped: a new one of this owner would start at the same virtual time.
        if (queue.used <= this.#now) this.#queues.delete(owner);
      } else if (isReady(owner, queue.items[0] as Item) && (!next || queue.used < next.queue.used)) {
        next = { owner, queue };
      }
    }
    if (!next) return undefined;
    this.#now = Math.max(this.#now, next.queue.used);
    this.#size -= 1;
    return { owner: next.owner, item: next.queue.items.shift() as Item };
  }

  /** Records what an owner has used, in any unit that is the same for all. */
  charge(owner: unknown, amount: number): void {
    this.#queueOf(owner).used += amount;
  }

  /** Takes all items, in no particular order. */
  takeAll(): Item[] {
    const items = [...this.#queues.values()].flatMap(({ items }) => items);
    this.#queues.clear();
    this.#size = 0;
    return items;
  }

  #queueOf(owner: unknown): OwnerQueue<Item> {
    const known = this.#queues.get(owner);
    if (known) {
      if (known.items.length === 0) known.used = Math.max(known.used, this.#now);
      return known;
    }
    const queue = { items: [], used: this.#now };
    this.#queues.set(owner, queue);
    return queue;
  }
}
