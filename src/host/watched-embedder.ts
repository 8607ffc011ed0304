import type { Embedder } from '../embed/embedder.js';

/** The same embedder for one of several owners, which take turns; it reports each batch of passages that is done. */
export function watched(
  embedder: Embedder,
  { owner, onDone }: { readonly owner: unknown; readonly onDone: () => void },
): Embedder {
  return {
    card: embedder.card,
    counter: embedder.counter,
    async embedPassages(texts, options) {
      const embeddings = await embedder.embedPassages(texts, { ...options, owner });
      onDone();
      return embeddings;
    },
    embedQuery: (text, options) => embedder.embedQuery(text, { ...options, owner }),
    countTokens: (text) => embedder.countTokens(text),
    close: () => embedder.close(),
  };
}
