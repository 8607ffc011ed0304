import type { Embedder } from '../embed/embedder.js';

/** The same embedder; it reports each batch of passages that is done. */
export function watched(embedder: Embedder, onDone: () => void): Embedder {
  return {
    card: embedder.card,
    counter: embedder.counter,
    async embedPassages(texts, options) {
      const embeddings = await embedder.embedPassages(texts, options);
      onDone();
      return embeddings;
    },
    embedQuery: (text, options) => embedder.embedQuery(text, options),
    countTokens: (text) => embedder.countTokens(text),
    close: () => embedder.close(),
  };
}
