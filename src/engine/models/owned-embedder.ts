import type { Embedder } from '../../embed/embedder.js';

/** The same embedder for one of several owners, whose texts it embeds in turns. */
export function owned(embedder: Embedder, owner: unknown): Embedder {
  return {
    card: embedder.card,
    counter: embedder.counter,
    embedPassages: (texts, options) => embedder.embedPassages(texts, { ...options, owner }),
    embedQuery: (text, options) => embedder.embedQuery(text, { ...options, owner }),
    countTokens: (text) => embedder.countTokens(text),
    close: () => embedder.close(),
  };
}
