import { WaymarkError } from '../domain/errors.js';
import type { Passage } from '../domain/passage.js';
import { untilAborted } from '../domain/until-aborted.js';
import type { IndexProgress } from '../indexing/progress.js';
import type { PassageStore, ReadablePassages, StoreCounts, StoredFile } from '../storage/passage-store.js';
import type { RankedCandidate, ReadResult, Retrieval, Retrieved } from '../storage/retrieval.js';
import type { StoreInUse, WaitOptions } from './store-in-use.js';

type OnProgress = (progress: IndexProgress) => void;

interface Reembedding {
  /** The passages with their former embeddings, whose model is gone. */
  readonly former: PassageStore;
  /** Re-embeds the files. Resolves to their passages with the new embeddings. */
  readonly reembed: (options: { onProgress: OnProgress; signal: AbortSignal }) => Promise<PassageStore>;
  /** Called with what stopped the re-embedding, unless it was closed. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * The passages of a bot that is being re-embedded because its model is gone. Until that is done they are found by their
 * words, and changes wait.
 */
export class ReembeddingStore implements StoreInUse {
  readable: ReadablePassages;
  readonly #reembedded: Promise<PassageStore>;
  readonly #listeners = new Set<OnProgress>();
  readonly #stop = new AbortController();

  constructor({ former, reembed, onFailure }: Reembedding) {
    this.readable = new FoundByWords(former);
    this.#reembedded = this.#follow(reembed, former);
    this.#reembedded.catch((error: unknown) => {
      if (!this.#stop.signal.aborted && !isClosed(error)) onFailure(error);
    });
  }

  async writable({ onProgress, signal }: WaitOptions = {}): Promise<PassageStore> {
    if (onProgress) this.#listeners.add(onProgress);
    try {
      return await untilAborted(this.#reembedded, signal);
    } finally {
      if (onProgress) this.#listeners.delete(onProgress);
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled([this.#reembedded]);
    await this.readable.close();
  }

  async #follow(reembed: Reembedding['reembed'], former: PassageStore): Promise<PassageStore> {
    const store = await reembed({
      signal: this.#stop.signal,
      onProgress: (progress) => {
        for (const listener of this.#listeners) listener(progress);
      },
    });
    this.readable = store;
    await former.close();
    return store;
  }
}

/** Whether the embedder or the parser was closed, which happens before the store is. */
function isClosed(error: unknown): boolean {
  return error instanceof WaymarkError && error.code === 'ENGINE_CLOSED';
}

/** Passages whose embeddings cannot be compared with a query: none counts as embedded. */
class FoundByWords implements ReadablePassages {
  readonly #store: ReadablePassages;

  constructor(store: ReadablePassages) {
    this.#store = store;
  }

  retrieve(query: Retrieval): Promise<Retrieved> {
    return this.#store.retrieve({ ...query, embedding: undefined });
  }

  async counts(): Promise<StoreCounts> {
    return { ...(await this.#store.counts()), embedded: 0 };
  }

  async coverage(): Promise<number> {
    return 0;
  }

  files(): Promise<readonly StoredFile[]> {
    return this.#store.files();
  }

  file(key: string): Promise<StoredFile | undefined> {
    return this.#store.file(key);
  }

  read(
    ranked: readonly RankedCandidate[],
    options: { readonly limit: number; readonly context: number },
  ): Promise<ReadResult> {
    return this.#store.read(ranked, options);
  }

  passages(fileId: string, range: { readonly from: number; readonly to: number }): Promise<readonly Passage[]> {
    return this.#store.passages(fileId, range);
  }

  indexKind(): Promise<'exact' | 'hnsw'> {
    return this.#store.indexKind();
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
