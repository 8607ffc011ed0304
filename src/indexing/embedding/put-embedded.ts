import { WaymarkError } from '../../domain/errors.js';
import { type FileToPut, isSameVersion, type PutOptions } from '../../storage/passage-store.js';
import { forEachConcurrent } from '../for-each-concurrent.js';
import type { Indexing } from '../indexing.js';
import { BATCH, BATCHES, embedTexts } from './embed-texts.js';

/** Embeddings by their texts. */
type Embeddings = Map<string, Float32Array>;

/**
 * Puts a file with the embeddings of all its texts, in one transaction: if the embedder fails, nothing has changed.
 * Returns false if the file is not in the state `over`. Throws what `embedTexts` throws.
 */
export async function putEmbedded(
  file: FileToPut,
  options: Omit<PutOptions, 'embeddings'>,
  { store, embedder, signal }: Pick<Indexing, 'store' | 'embedder' | 'signal'>,
): Promise<boolean> {
  const embeddings: Embeddings = new Map();
  do {
    await embedMissing(file, { store, embedder, signal, embeddings });
    if (signal?.aborted) throw new WaymarkError('ABORTED', 'Nothing was changed.', { cause: signal.reason });
    if (await store.put(file, { ...options, embeddings })) return true;
    // An embedding that was stored may have been removed meanwhile.
  } while (isSameVersion(await store.file(file.key), options.over));
  return false;
}

/** Embeds those texts of a file that have no stored embedding. */
async function embedMissing(
  { passages }: FileToPut,
  { store, embedder, signal, embeddings }: Pick<Indexing, 'store' | 'embedder' | 'signal'> & { embeddings: Embeddings },
): Promise<void> {
  const missing = await store.missing(passages.map(({ text }) => text));
  const unknown = missing.filter((text) => !embeddings.has(text));
  const batches = Array.from({ length: Math.ceil(unknown.length / BATCH) }, (_, i) =>
    unknown.slice(i * BATCH, (i + 1) * BATCH),
  );
  await forEachConcurrent(batches, {
    concurrency: BATCHES,
    signal,
    work: async (texts) => {
      const found = await embedTexts(texts, { embedder, signal, owner: store });
      const batch = new Map(texts.map((text, i) => [text, found[i] as Float32Array]));
      for (const [text, embedding] of batch) embeddings.set(text, embedding);
      // A large file takes minutes: if the process is killed, the next one continues from here.
      if (batches.length > 1) await store.keep(batch);
    },
  });
}
