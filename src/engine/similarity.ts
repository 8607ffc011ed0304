import type { Embedder, SimilarityScale } from '../embed/embedder.js';
import { measureSimilarity } from '../embed/similarity-scale.js';
import type { Models } from '../storage/storage.js';

/** The similarity scale of a model: from its card, or measured once and remembered. */
export function similarityScale(embedder: Embedder, models: Models): () => Promise<SimilarityScale> {
  let known = embedder.card.similarity;
  return async () => {
    known ??= await models.similarity(embedder.card.fingerprint);
    if (known) return known;
    known = await measureSimilarity(embedder);
    await models.setSimilarity(embedder.card.fingerprint, known);
    return known;
  };
}
