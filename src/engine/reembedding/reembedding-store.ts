import { UNCHANGED, untilAborted } from '../../domain/abortable.js';
import { hasCode, type WaymarkErrorCode } from '../../domain/errors.js';
import { observer } from '../../indexing/observer.js';
import type { IndexProgress } from '../../indexing/progress.js';
import type { PassageStore, ReadablePassages } from '../../storage/passage-store.js';
import type { EngineStore, WaitOptions } from '../engine-store.js';

/** Errors that another attempt would run into again: they are about a file, or another caller has changed the bot. */
const PERMANENT: readonly WaymarkErrorCode[] = [
  'TEXT_TOO_LONG',
  'INVALID_ARGUMENT',
  'ABORTED',
  'MODEL_MISMATCH',
  'BOT_MISSING',
];

type OnProgress = (progress: IndexProgress) => void;

interface Reembedding {
  /** The passages with the embeddings of the former model, which is no longer available. */
  readonly former: PassageStore;
  /** Re-embeds the files. Resolves to their passages with the new embeddings. */
  readonly reembed: (options: { onProgress: OnProgress; signal: AbortSignal }) => Promise<PassageStore>;
  /** Called with what stopped the re-embedding, unless it was closed. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * The passages of a bot that is being re-embedded because its model is no longer available. Until that is done, they
 * are found by their words only, and changes wait.
 */
export class ReembeddingStore implements EngineStore {
  readonly readable: ReadablePassages;
  readonly #former: PassageStore;
  readonly #reembed: Reembedding['reembed'];
  readonly #onFailure: Reembedding['onFailure'];
  #present: PassageStore | undefined;
  #reembedded: Promise<PassageStore>;
  /** Whether the re-embedding has failed, and the next change starts it again. */
  #restartsOnChange = false;
  readonly #listeners = new Set<OnProgress>();
  readonly #stop = new AbortController();

  constructor({ former, reembed, onFailure }: Reembedding) {
    this.#former = former;
    this.#reembed = reembed;
    this.#onFailure = onFailure;
    const byWords = lexicalOnly(former);
    this.readable = delegating(former.pool, (work) => this.#read(work, byWords));
    this.#reembedded = this.#begin();
  }

  async writable({ onProgress, signal }: WaitOptions = {}): Promise<PassageStore> {
    const listener = onProgress && observer('onProgress', onProgress);
    if (listener) this.#listeners.add(listener);
    if (this.#restartsOnChange) this.#reembedded = this.#begin();
    try {
      return await untilAborted(this.#reembedded, signal, UNCHANGED);
    } finally {
      if (listener) this.#listeners.delete(listener);
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled([this.#reembedded]);
    await Promise.all([this.#former.close(), this.#present?.close()]);
  }

  #begin(): Promise<PassageStore> {
    this.#restartsOnChange = false;
    const reembedded = this.#run();
    reembedded.catch((error: unknown) => {
      // The embedder and the parser are closed before the store is.
      if (this.#stop.signal.aborted || hasCode(error, 'ENGINE_CLOSED')) return;
      this.#restartsOnChange = !hasCode(error, ...PERMANENT);
      this.#onFailure(error);
    });
    return reembedded;
  }

  async #run(): Promise<PassageStore> {
    const { signal } = this.#stop;
    const onProgress: OnProgress = (progress) => {
      for (const listener of this.#listeners) listener(progress);
    };
    this.#present = await this.#reembed({ onProgress, signal });
    // A failure loses nothing: the next flush does the work.
    await this.#present.flush({ signal }).catch(() => {});
    return this.#present;
  }

  /** Reads the former passages, or the new ones once there are some. A read during the switch is repeated after it. */
  async #read<T>(work: (store: ReadablePassages) => Promise<T>, byWords: ReadablePassages): Promise<T> {
    if (this.#present) return work(this.#present);
    try {
      return await work(byWords);
    } catch (error) {
      if (!hasCode(error, 'MODEL_MISMATCH')) throw error;
      const present = await this.#reembedded.catch(() => undefined);
      // If there is none, another process has switched to a third model.
      if (!present) throw error;
      return work(present);
    }
  }
}

/** Passages without their embeddings, which cannot be compared with those of another model's queries. */
function lexicalOnly(store: ReadablePassages): ReadablePassages {
  return {
    ...delegating(store.pool, (work) => work(store)),
    retrieve: (query) => store.retrieve({ ...query, embedding: undefined }),
    embeddingOf: async (passageId) => {
      const found = await store.embeddingOf(passageId);
      return found && { ...found, embedding: undefined };
    },
    embedded: async () => [],
    counts: async () => ({ ...(await store.counts()), embedded: 0 }),
    coverage: async () => 0,
  };
}

/** Runs each call through `read`, which passes the store to use to its work. */
function delegating(
  pool: number,
  read: <T>(work: (store: ReadablePassages) => Promise<T>) => Promise<T>,
): ReadablePassages {
  return {
    pool,
    files: () => read((store) => store.files()),
    seenFiles: () => read((store) => store.seenFiles()),
    file: (key) => read((store) => store.file(key)),
    text: (key) => read((store) => store.text(key)),
    retrieve: (query) => read((store) => store.retrieve(query)),
    read: (ranked, options) => read((store) => store.read(ranked, options)),
    passages: (fileId, range) => read((store) => store.passages(fileId, range)),
    embeddingOf: (passageId) => read((store) => store.embeddingOf(passageId)),
    embedded: (filter) => read((store) => store.embedded(filter)),
    counts: () => read((store) => store.counts()),
    coverage: () => read((store) => store.coverage()),
    indexKind: () => read((store) => store.indexKind()),
  };
}
