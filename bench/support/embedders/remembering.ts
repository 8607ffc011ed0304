import type { Embedder } from 'waymark';
import { overriding } from './overriding.js';

/** The embedder with a cache of all its embeddings. It stays open when an engine closes it. */
export function remembering(embedder: Embedder): Embedder {
  const passages = new Map<string, Float32Array>();
  const queries = new Map<string, Float32Array>();
  return overriding(embedder, {
    async embedPassages(texts, options) {
      const missing = [...new Set(texts)].filter((text) => !passages.has(text));
      const embedded = missing.length === 0 ? [] : await embedder.embedPassages(missing, options);
      for (const [i, embedding] of embedded.entries()) passages.set(missing[i] ?? '', embedding);
      return texts.flatMap((text) => passages.get(text) ?? []);
    },
    async embedQuery(text) {
      const embedding = queries.get(text) ?? (await embedder.embedQuery(text));
      queries.set(text, embedding);
      return embedding;
    },
    async close() {},
  });
}
