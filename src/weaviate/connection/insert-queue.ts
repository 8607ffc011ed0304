import type { StoredObject } from './stored-object.js';

/** Objects of one request, at most, and their bytes, roughly. */
const REQUEST = { objects: 256, bytes: 4_000_000 };

/** Requests that run at once; more make the cluster slower for searches. */
const RUNNING = 2;

/** Sends objects; returns what is wrong with those that could not be stored, by their index. */
type Send = (objects: readonly StoredObject[]) => Promise<ReadonlyMap<number, Error>>;

/** Objects that are inserted together, as a caller gave them. */
interface Insertion {
  /** Objects that are not stored yet. */
  open: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Sends what many callers insert at once in common requests, in the order in which it was given. */
export class InsertQueue {
  readonly #send: Send;
  readonly #waiting: { readonly object: StoredObject; readonly insertion: Insertion }[] = [];
  #running = 0;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Resolves when all objects are stored. Rejects with the first error of one of them. */
  insert(objects: readonly StoredObject[]): Promise<void> {
    if (objects.length === 0) return Promise.resolve();
    const stored = new Promise<void>((resolve, reject) => {
      const insertion: Insertion = { open: objects.length, resolve, reject };
      for (const object of objects) this.#waiting.push({ object, insertion });
    });
    // Callers of the same turn of the event loop share a request.
    setImmediate(() => this.#next());
    return stored;
  }

  #next(): void {
    while (this.#running < RUNNING && this.#waiting.length > 0) {
      this.#running += 1;
      const request = this.#take();
      const objects = request.map(({ object }) => object);
      this.#send(objects)
        .then(
          (errors) => {
            for (const [i, { insertion }] of request.entries()) {
              const error = errors.get(i);
              if (error) insertion.reject(error);
              insertion.open -= 1;
              if (insertion.open === 0) insertion.resolve();
            }
          },
          (error: Error) => {
            for (const { insertion } of request) insertion.reject(error);
          },
        )
        .finally(() => {
          this.#running -= 1;
          this.#next();
        });
    }
  }

  /** The objects of the next request. */
  #take() {
    let [count, bytes] = [0, 0];
    for (const { object } of this.#waiting) {
      bytes += sizeOf(object);
      if (count === REQUEST.objects || (count > 0 && bytes > REQUEST.bytes)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }
}

function sizeOf({ properties, vector }: StoredObject): number {
  const texts = Object.values(properties).map((value) => (typeof value === 'string' ? value.length : 8));
  return texts.reduce((sum, length) => sum + length, 4 * (vector?.length ?? 0));
}
