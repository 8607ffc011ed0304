import { createHash } from 'node:crypto';
import type { Embedder } from 'waymark';

/**
 * In the place of a model: its card and its tokenizer, so that texts are cut as for the model, but vectors made from a
 * hash of the text, which cost nothing. `onTexts` is given the texts that the model would embed.
 */
export function instantEmbedder(
  model: Embedder,
  options?: { readonly onTexts?: (texts: readonly string[]) => void },
): Embedder {
  const { card, counter } = model;
  const embed = (text: string) => unitVector(text, card.dimensions);
  return {
    // A fingerprint of its own: no index may mix its vectors with the model's.
    card: { ...card, id: `${card.id} (hashes)`, fingerprint: `hashes of ${card.dimensions} for ${card.fingerprint}` },
    counter,
    embedPassages: async (texts) => {
      options?.onTexts?.(texts);
      return texts.map(embed);
    },
    embedQuery: async (text) => embed(text),
    countTokens: (text) => model.countTokens(text),
    close: () => model.close(),
  };
}

function unitVector(text: string, dimensions: number): Float32Array {
  // Marsaglia 2003, "Xorshift RNGs"; the state must not be 0.
  let state = createHash('sha256').update(text).digest().readInt32LE(0) || 1;
  const vector = new Float32Array(dimensions).map(() => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2 ** 31;
  });
  const length = Math.sqrt(vector.reduce((squares, element) => squares + element * element, 0));
  return vector.map((element) => element / length);
}
