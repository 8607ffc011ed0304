import type { Embedder } from '../embed/embedder.js';
import type { PassageStore, PendingText } from '../storage/passage-store.js';
import { forEachConcurrent } from './for-each-concurrent.js';
import type { ProgressMeter } from './progress.js';

/** Texts whose embeddings are written together: half a second of work, so that little is lost when a run is killed. */
const BATCH = 32;

/** Batches on their way at once: while one is written the other keeps the embedder busy. */
const BATCHES = 2;

/** Where texts wait for their embedding. */
export type PendingTexts = Pick<PassageStore, 'pending' | 'countPending' | 'putEmbeddings'>;

/** Embeds every text that waits for it, or those of one file, and writes the embeddings batch by batch. */
export async function embedPending({
  store,
  embedder,
  meter,
  signal,
  key,
}: {
  store: PendingTexts;
  embedder: Embedder;
  meter: ProgressMeter;
  signal: AbortSignal | undefined;
  key?: string;
}): Promise<void> {
  meter.start('embed', key === undefined ? await store.countPending() : 0);
  await forEachConcurrent(batches(store, key), {
    concurrency: BATCHES,
    signal,
    work: async (texts) => {
      const embeddings = await embedder.embedPassages(
        texts.map(({ text }) => text),
        signal && { signal },
      );
      await store.putEmbeddings(texts.map(({ id }, i) => ({ id, embedding: embeddingAt(embeddings, i) })));
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

function embeddingAt(embeddings: readonly Float32Array[], i: number): Float32Array {
  const embedding = embeddings[i];
  if (!embedding) throw new RangeError('the embedder gave fewer embeddings than texts');
  return embedding;
}
