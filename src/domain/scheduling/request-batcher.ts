import { setImmediate } from 'node:timers';

/** How items are put together into requests. */
export interface BatchLimits<Item> {
  /** Maximum number of items of one request. */
  readonly items: number;
  /** Maximum bytes of a request with more than one item, roughly. Defaults to any number. */
  readonly bytes?: number;
  /** The size of an item in bytes, roughly. */
  readonly sizeOf?: (item: Item) => number;
  /** Maximum number of concurrent requests. */
  readonly running: number;
}

/** Sends the items of one request; returns the answers in their order, an `Error` for an item that failed. */
type Send<Item, Answer> = (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>;

/** An item that waits for its request. */
interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches items that many callers submit at the same time into requests, in the order of the calls: a cluster takes
 * about as long for a request of one item as for one of twenty, and a sync of a file serves all earlier writes.
 */
export class RequestBatcher<Item, Answer> {
  readonly #send: Send<Item, Answer>;
  readonly #limits: BatchLimits<Item>;
  readonly #waiting: Waiting<Item, Answer>[] = [];
  #running = 0;

  constructor(send: Send<Item, Answer>, limits: BatchLimits<Item>) {
    this.#send = send;
    this.#limits = limits;
  }

  /** The answer to an item. Rejects with the error of the item, or of its request. */
  submit(item: Item): Promise<Answer> {
    const answered = new Promise<Answer>((resolve, reject) => this.#waiting.push({ item, resolve, reject }));
    // Callers of the same turn of the event loop share a request.
    if (this.#waiting.length === 1) setImmediate(() => this.#next());
    return answered;
  }

  #next(): void {
    while (this.#running < this.#limits.running && this.#waiting.length > 0) {
      this.#running += 1;
      void this.#run(this.#take());
    }
  }

  async #run(request: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#send(request.map(({ item }) => item));
      for (const [i, { resolve, reject }] of request.entries()) {
        const answer = answers[i];
        if (answer instanceof Error) reject(answer);
        else resolve(answer as Answer);
      }
    } catch (error) {
      for (const { reject } of request) reject(error);
    } finally {
      this.#running -= 1;
      this.#next();
    }
  }

  /** The items of the next request. */
  #take(): readonly Waiting<Item, Answer>[] {
    const { items, bytes = Number.POSITIVE_INFINITY, sizeOf = () => 0 } = this.#limits;
    let [count, size] = [0, 0];
    for (const { item } of this.#waiting) {
      size += sizeOf(item);
      if (count === items || (count > 0 && size > bytes)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }
}
