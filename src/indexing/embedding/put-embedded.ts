import { setImmediate } from 'node:timers/promises';
import { assertNotAborted, UNCHANGED } from '../../domain/abortable.js';
import { type FileToPut, isSameVersion, type PassageStore, type PutOptions } from '../../storage/passage-store.js';
import { forEachConcurrent } from '../for-each-concurrent.js';
import type { Indexing } from '../indexing.js';
import { BATCH, BATCHES, embedTexts } from './embed-texts.js';

/** Embeddings by their texts. */
export type Embeddings = Map<string, Float32Array>;

/**
 * Puts a file with the embeddings of all its texts, in one transaction: if the embedder fails, nothing has changed.
 * Returns false if the file is not in the state `expected`: then `embeddings` keeps what was embedded for the next
 * attempt. Throws what `embedTexts` throws.
 */
export async function putEmbedded(
  file: FileToPut,
  {
    embeddings = new Map(),
    ...options
  }: Omit<PutOptions, 'embeddings' | 'signal'> & { readonly embeddings?: Embeddings },
  { store, embedder, signal }: Pick<Indexing, 'store' | 'embedder' | 'signal'>,
): Promise<boolean> {
  do {
    await embedMissing(file, { store, embedder, signal, embeddings });
    assertNotAborted(signal, UNCHANGED);
    if (await store.put(file, { ...options, embeddings, signal })) return true;
    // An embedding that was stored may have been removed meanwhile.
  } while (isSameVersion(await store.file(file.key), options.expected));
  return false;
}

/** Texts looked up at a time: a few milliseconds. */
const LOOKED_UP = 500;

/** The texts that have no stored embedding. */
async function missingOf(texts: readonly string[], store: PassageStore): Promise<Set<string>> {
  const missing = new Set<string>();
  for (let from = 0; from < texts.length; from += LOOKED_UP) {
    for (const text of await store.missing(texts.slice(from, from + LOOKED_UP))) missing.add(text);
    await setImmediate();
  }
  return missing;
}

/** Embeds the texts of a file that have no stored embedding. */
async function embedMissing(
  { passages }: FileToPut,
  { store, embedder, signal, embeddings }: Pick<Indexing, 'store' | 'embedder' | 'signal'> & { embeddings: Embeddings },
): Promise<void> {
  const texts = passages.map(({ text }) => text).filter((text) => !embeddings.has(text));
  const missing = [...(await missingOf(texts, store))];
  const batches = Array.from({ length: Math.ceil(missing.length / BATCH) }, (_, i) =>
    missing.slice(i * BATCH, (i + 1) * BATCH),
  );
  await forEachConcurrent(batches, {
    concurrency: BATCHES,
    signal,
    work: async (texts) => {
      const found = await embedTexts(texts, { embedder, signal });
      const batch = new Map(texts.map((text, i) => [text, found[i] as Float32Array]));
      for (const [text, embedding] of batch) embeddings.set(text, embedding);
      // A large file takes minutes: if the process is killed, the next one continues from here.
      if (batches.length > 1) await store.keep(batch);
    },
  });
}
