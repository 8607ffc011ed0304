import type { Embedder } from '../embed/embedder.js';

/** The same embedder, which reports each batch of passages that is done. */
export function watched(embedder: Embedder, onDone: () => void): Embedder {
  return {
    card: embedder.card,
    counter: embedder.counter,
    async embedPassages(...given) {
      const embeddings = await embedder.embedPassages(...given);
      onDone();
      return embeddings;
    },
    embedQuery: (...given) => embedder.embedQuery(...given),
    countTokens: (text) => embedder.countTokens(text),
    close: () => embedder.close(),
  };
}
