import type { Embedder } from 'waymark';

/** The embedder with some of its members replaced. */
export function overriding(embedder: Embedder, members: Partial<Embedder>): Embedder {
  return {
    card: embedder.card,
    counter: embedder.counter,
    embedPassages: (texts, options) => embedder.embedPassages(texts, options),
    embedQuery: (text) => embedder.embedQuery(text),
    countTokens: (text) => embedder.countTokens(text),
    close: () => embedder.close(),
    ...members,
  };
}
