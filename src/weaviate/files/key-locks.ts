/** Lets calls for the same key run one after the other. Other processes are not kept out. */
export class KeyLocks {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs work once all earlier work for the key has ended. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const running = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    this.#last.set(key, running);
    try {
      return await running;
    } finally {
      if (this.#last.get(key) === running) this.#last.delete(key);
    }
  }
}
