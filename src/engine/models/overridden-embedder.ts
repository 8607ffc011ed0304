import type { Embedder } from '../../embed/embedder.js';

/** The same embedder with some methods replaced. */
export function overridden(
  embedder: Embedder,
  methods: Partial<Pick<Embedder, 'embedPassages' | 'embedQuery'>>,
): Embedder {
  return {
    card: embedder.card,
    counter: embedder.counter,
    embedPassages: (texts, options) => embedder.embedPassages(texts, options),
    embedQuery: (text, options) => embedder.embedQuery(text, options),
    countTokens: (text) => embedder.countTokens(text),
    close: () => embedder.close(),
    ...methods,
  };
}
