import type { Embedder } from 'waymark';
import { normalised, seededRandom } from '../statistics/random.js';
import { overriding } from './overriding.js';

/**
 * The model's card and tokenizer, so that texts are cut as for the model, with unit vectors from a hash of the text,
 * which cost next to nothing. `onTexts` receives the texts that the model would embed.
 */
export function hashVectors(
  model: Embedder,
  options?: { readonly onTexts?: (texts: readonly string[]) => void },
): Embedder {
  const { id, dimensions, fingerprint } = model.card;
  const embed = (text: string) => {
    const random = seededRandom(text);
    return normalised(new Float32Array(dimensions).map(() => 2 * random() - 1));
  };
  return overriding(model, {
    // Its own fingerprint keeps its vectors apart from the model's.
    card: { ...model.card, id: `${id} (hashes)`, fingerprint: `hashes of ${dimensions} for ${fingerprint}` },
    embedPassages: async (texts) => {
      options?.onTexts?.(texts);
      return texts.map(embed);
    },
    embedQuery: async (text) => embed(text),
  });
}
