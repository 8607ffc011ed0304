import type { WaymarkError } from '../../domain/errors.js';
import type { Embedder } from '../../embed/embedder.js';
import type { PendingText, PendingTexts } from '../../storage/passage-store.js';
import { forEachConcurrent } from '../for-each-concurrent.js';
import type { ProgressMeter } from '../progress.js';
import { BATCH, BATCHES, embedTexts, isRejection } from './embed-texts.js';

/** A pending text that the embedder rejects. */
export interface RejectedText {
  readonly id: number;
  readonly reason: string;
}

/** A text that every working embedder can embed. */
const PROBE = 'passage';

interface EmbedPendingOptions {
  readonly store: PendingTexts;
  readonly embedder: Embedder;
  readonly meter: ProgressMeter;
  readonly signal: AbortSignal | undefined;
  /** Embed the texts of this file only. */
  readonly key?: string;
  /** Called with a text that the embedder rejects, though it embeds another. Without it, such a text is a failure. */
  readonly onRejected?: ((text: RejectedText) => void) | undefined;
}

/** Embeds every pending text, or those of one file, and writes the embeddings batch by batch. */
export async function embedPending(options: EmbedPendingOptions): Promise<void> {
  const { store, meter, signal, key } = options;
  meter.start('embed', key === undefined ? await store.countPending() : 0);
  await forEachConcurrent(batches(store, key), {
    concurrency: BATCHES,
    signal,
    work: async (texts) => {
      await embedBatch(texts, options);
      meter.advance(texts.length);
    },
  });
}

async function* batches(store: PendingTexts, key: string | undefined): AsyncGenerator<readonly PendingText[]> {
  for (let after = 0; ; ) {
    const texts = await store.pending({ after, limit: BATCH, key });
    const last = texts.at(-1);
    if (!last) return;
    yield texts;
    after = last.id;
  }
}

/** Embeds texts together; if that fails, one by one, to find those that the embedder rejects. */
async function embedBatch(texts: readonly PendingText[], options: EmbedPendingOptions): Promise<void> {
  const { onRejected } = options;
  try {
    await embedAndPut(texts, options);
  } catch (error) {
    if (!onRejected || !isRejection(error)) throw error;
    for (const text of texts) {
      const rejection = await rejectionOf(text, options);
      if (rejection) onRejected({ id: text.id, reason: rejection.message });
    }
  }
}

/** Embeds a text alone. Returns why the embedder rejects it; throws if the embedder fails on a harmless text, too. */
async function rejectionOf(text: PendingText, options: EmbedPendingOptions): Promise<WaymarkError | undefined> {
  try {
    await embedAndPut([text], options);
    return undefined;
  } catch (error) {
    if (!isRejection(error)) throw error;
    try {
      await embedTexts([PROBE], options);
    } catch (probed) {
      throw isRejection(probed) ? error : probed;
    }
    return error;
  }
}

async function embedAndPut(
  texts: readonly PendingText[],
  { store, embedder, signal }: EmbedPendingOptions,
): Promise<void> {
  const embeddings = await embedTexts(
    texts.map(({ text }) => text),
    { embedder, signal },
  );
  await store.putEmbeddings(texts.map(({ id }, i) => ({ id, embedding: embeddings[i] as Float32Array })));
}
