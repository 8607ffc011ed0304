import type { SimilarityScale } from '../domain/similarity-scale.js';
import type { Embedder } from './embedder.js';
import { REFERENCE_PAIRS } from './reference-pairs.js';

/** Assumed for a model that separates related from unrelated texts by less, or in the wrong direction. */
const MINIMUM_SPAN = 0.05;

/** Measures a model's similarity scale on the reference pairs; takes about 0.5 s. */
export async function measureSimilarity(
  embedder: Pick<Embedder, 'embedPassages' | 'embedQuery'>,
): Promise<SimilarityScale> {
  const answers = await embedder.embedPassages(REFERENCE_PAIRS.map(({ answer }) => answer));
  const questions: Float32Array[] = [];
  for (const { question } of REFERENCE_PAIRS) questions.push(await embedder.embedQuery(question));
  let [related, unrelated] = [0, 0];
  for (const [i, question] of questions.entries()) {
    for (const [j, answer] of answers.entries()) {
      const cosine = question.reduce((sum, element, k) => sum + element * (answer[k] ?? 0), 0);
      if (i === j) related += cosine;
      else unrelated += cosine;
    }
  }
  const count = questions.length;
  related /= count;
  unrelated /= count * (count - 1);
  return { unrelated, related: Math.max(related, unrelated + MINIMUM_SPAN) };
}
