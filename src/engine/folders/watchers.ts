import { validateWatch } from '../../contract/engine/index-folder.js';
import { assertNotAborted } from '../../domain/abortable.js';
import { observer } from '../../indexing/observer.js';
import { type WatchedFolders, Watcher, type WatchOptions } from './watcher.js';

/** The open watchers of one bot. */
export class Watchers {
  readonly #parts: WatchedFolders & { readonly warn: (message: string) => void };
  readonly #open = new Set<Watcher>();

  constructor(parts: WatchedFolders & { readonly warn: (message: string) => void }) {
    this.#parts = parts;
  }

  /** Keeps the index up to date with all folders until the watcher is closed. Throws `INVALID_ARGUMENT`, `ABORTED`. */
  async open(options: WatchOptions): Promise<Watcher> {
    const { onUpdate, signal } = validateWatch(options);
    assertNotAborted(signal);
    const watcher: Watcher = new Watcher({
      ...this.#parts,
      onUpdate: onUpdate && observer('onUpdate', onUpdate),
      signal,
      onClose: () => this.#open.delete(watcher),
    });
    this.#open.add(watcher);
    return watcher.start();
  }

  /** Closes all of them. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((watcher) => watcher.close()));
  }
}
