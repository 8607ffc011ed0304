/** Lets calls for the same key run one after the other. Other processes are not kept out. */
export class KeyLocks {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs work once all earlier work for any of the keys has ended. */
  async run<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    // Of all keys at once: two calls for the same keys never wait for each other.
    const running = Promise.allSettled(keys.map((key) => this.#last.get(key))).then(work);
    for (const key of keys) this.#last.set(key, running);
    try {
      return await running;
    } finally {
      for (const key of keys) if (this.#last.get(key) === running) this.#last.delete(key);
    }
  }
}
