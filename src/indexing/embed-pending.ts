import type { Embedder } from '../embed/embedder.js';
import type { PendingText, PendingTexts } from '../storage/passage-store.js';
import { forEachConcurrent } from './for-each-concurrent.js';
import type { ProgressMeter } from './progress.js';

/** Texts embedded and written together: half a second of work, so that a kill loses little. */
const BATCH = 32;

/** Concurrent batches: while one is written, the other keeps the embedder busy. */
const BATCHES = 2;

/** Embeds every pending text, or those of one file, and writes the embeddings batch by batch. */
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
        { signal, owner: store },
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
  if (!embedding) throw new RangeError('the embedder returned fewer embeddings than texts');
  return embedding;
}
