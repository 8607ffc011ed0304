import { RequestBatcher } from '../../domain/scheduling/request-batcher.js';
import type { FileToPut } from '../../storage/passage-store.js';
import type { Indexing } from '../indexing.js';
import { BATCH, BATCHES, embedTexts, isRejection } from './embed-texts.js';

/** Embeds the texts of files before the files are put. Texts of several files share a batch. */
export class AheadEmbedder {
  readonly #indexing: Pick<Indexing, 'store' | 'embedder' | 'signal'>;
  readonly #batches: RequestBatcher<string, Float32Array>;
  /** The embeddings in progress, by text. */
  readonly #running = new Map<string, Promise<Float32Array>>();

  constructor(indexing: Pick<Indexing, 'store' | 'embedder' | 'signal'>) {
    this.#indexing = indexing;
    const embed = (texts: readonly string[]) => embedTexts(texts, indexing);
    this.#batches = new RequestBatcher(embed, { items: BATCH, running: BATCHES });
  }

  /**
   * The embeddings of the texts of a file that have no stored embedding; undefined if the embedder rejects a text of
   * the same batch. Throws what `embedTexts` throws otherwise.
   */
  async embeddingsOf({ passages }: FileToPut): Promise<ReadonlyMap<string, Float32Array> | undefined> {
    const missing = await this.#indexing.store.missing(passages.map(({ text }) => text));
    try {
      return new Map(await Promise.all(missing.map(async (text) => [text, await this.#embeddingOf(text)] as const)));
    } catch (error) {
      if (isRejection(error)) return undefined;
      throw error;
    }
  }

  #embeddingOf(text: string): Promise<Float32Array> {
    const running = this.#running.get(text) ?? this.#batches.submit(text).finally(() => this.#running.delete(text));
    this.#running.set(text, running);
    return running;
  }
}
