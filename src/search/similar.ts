import { type SimilarOptions, validateSimilar } from '../contract/engine/search.js';
import { type Abortable, assertNotAborted } from '../domain/abortable.js';
import type { Hit } from '../domain/passage.js';
import type { ReadablePassages } from '../storage/passage-store.js';
import { withinAnswerLimit } from './search.js';

/**
 * The passages whose embeddings are nearest to that of a passage, nearest first; undefined if there is no passage with
 * this id. Throws `INVALID_ARGUMENT`, `RESPONSE_TOO_LARGE`, `ABORTED`.
 */
export async function similar(
  passageId: string,
  { store, options, signal }: Abortable & { readonly store: ReadablePassages; readonly options: SimilarOptions },
): Promise<Hit[] | undefined> {
  const { limit, minScore = 0, tags, path: paths } = validateSimilar(passageId, options);
  const given = await store.embeddingOf(passageId);
  if (!given) return undefined;
  if (!given.embedding) return [];
  assertNotAborted(signal);
  // More than `limit`, as in a search: the order of equally near passages is decided when they are read. One more,
  // because the passage itself is among them.
  const wanted = Math.max(store.pool, limit + 1);
  const retrieval = { embedding: Promise.resolve(given.embedding), tags, paths, limit: wanted };
  const { candidates } = await store.retrieve(retrieval);
  assertNotAborted(signal);
  const ranked = candidates
    .filter(({ id, cosine }) => id !== given.id && cosine >= minScore)
    .map(({ id, cosine }) => ({ id, sum: cosine }));
  const { passages } = await store.read(ranked, { limit, context: 0, tags, paths });
  return withinAnswerLimit(passages.map(({ sum, passage, file }) => ({ score: Math.min(sum, 1), passage, file })));
}
