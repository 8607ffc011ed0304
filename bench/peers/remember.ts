import type { Embedder } from 'waymark';

/** The embedder with all that it embedded kept: asked again, it costs nothing. It stays open when an engine closes it. */
export function remembering(embedder: Embedder): Embedder {
  const passages = new Map<string, Float32Array>();
  const queries = new Map<string, Float32Array>();
  return {
    card: embedder.card,
    counter: embedder.counter,
    countTokens: (text) => embedder.countTokens(text),
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
  };
}
