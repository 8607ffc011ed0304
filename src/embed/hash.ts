import { createHash } from 'node:crypto';
import type { CountTokens, Embedder } from './embedder.js';
import { normalise } from './pooling.js';

/** Words of a text, lower case. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A module's token counter must be its default export: a word or mark is a token here. */
export default function loadCounter(): CountTokens {
  return countTokens;
}

function countTokens(text: string): number {
  return (text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? []).length + 2;
}

/**
 * An embedder without a model, for tests: texts are near each other as far as they share words. Deterministic, and
 * fast enough to index thousands of passages a second. Another name makes other embeddings, as another model does.
 */
export function createHashEmbedder({ name = 'hash', dimensions = 64, maxTokens = 512 } = {}): Embedder {
  const salt = name === 'hash' ? '' : `${name} `;
  const embed = (text: string): Float32Array => {
    const vector = new Float32Array(dimensions);
    for (const word of wordsOf(text)) {
      const bytes = createHash('sha256')
        .update(salt + word)
        .digest();
      const at = bytes.readUInt32LE(0) % dimensions;
      vector[at] = (vector[at] ?? 0) + (bytes.readUInt8(4) % 2 === 0 ? 1 : -1);
    }
    return normalise(vector);
  };
  return {
    card: {
      id: name,
      dimensions,
      pooling: 'mean',
      queryPrefix: '',
      passagePrefix: '',
      maxTokens,
      // Texts without a word in common have the cosine 0, the same words 1.
      similarity: { unrelated: 0, related: 1 },
      fingerprint: `${name} ${dimensions}`,
    },
    counter: { module: import.meta.url },
    embedPassages: async (texts) => texts.map(embed),
    embedQuery: async (text) => embed(text),
    countTokens: async (text) => countTokens(text),
    close: async () => {},
  };
}
