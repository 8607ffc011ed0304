import { createHash } from 'node:crypto';
import { inTurns } from '../domain/scheduling/in-turns.js';
import type { CountTokens, Embedder } from './embedder.js';
import { normalise } from './pooling.js';

/** Loads the token counter of `createHashEmbedder`, which counts each word and each other character as a token. */
export default function loadCounter(): CountTokens {
  return countTokens;
}

function countTokens(text: string): number {
  return (text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? []).length + 2;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * Creates an embedder without a model, for tests: texts are as similar as the words they share. It is deterministic and
 * indexes thousands of passages per second. Different names yield different embeddings, as different models would.
 * Defaults: `name` "hash", 64 dimensions, 512 tokens.
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
      // Texts without a common word have cosine 0, texts of the same words 1.
      similarity: { unrelated: 0, related: 1 },
      fingerprint: `${name} ${dimensions}`,
    },
    counter: { module: import.meta.url },
    async embedPassages(texts) {
      const embeddings: Float32Array[] = [];
      for await (const text of inTurns(texts)) embeddings.push(embed(text));
      return embeddings;
    },
    embedQuery: async (text) => embed(text),
    countTokens: async (text) => countTokens(text),
    close: async () => {},
  };
}
