import type { SimilarityScale } from '../../domain/similarity-scale.js';
import type { Embedder } from '../../embed/embedder.js';
import { measureSimilarity } from '../../embed/measure-similarity.js';
import type { Models } from '../../storage/storage.js';

/** The similarity scale of a model: from its card, or measured once and remembered. */
export function similarityScale(embedder: Embedder, models: Models): () => Promise<SimilarityScale> {
  const { similarity, fingerprint } = embedder.card;
  let known: Promise<SimilarityScale> | undefined = similarity && Promise.resolve(similarity);
  return async () => {
    known ??= recallOrMeasure();
    try {
      return await known;
    } catch (error) {
      known = undefined;
      throw error;
    }
  };

  async function recallOrMeasure(): Promise<SimilarityScale> {
    const recorded = await models.similarity(fingerprint);
    if (recorded) return recorded;
    const measured = await measureSimilarity(embedder);
    // Where nothing can be written, as in a read-only database, the next process measures it again.
    await models.setSimilarity(fingerprint, measured).catch(() => {});
    return measured;
  }
}
