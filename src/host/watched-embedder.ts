import type { Turns } from '../domain/scheduling/turns.js';
import type { Embedder } from '../embed/embedder.js';

/** For whom texts are embedded. */
interface WatchedOptions {
  readonly owner: unknown;
  /** In which searches go on once their query is embedded; shared by all owners. */
  readonly turns: Turns;
  /** Called after each batch of passages. */
  readonly onDone: () => void;
}

/** The same embedder for one of several owners, which take turns. */
export function watched(embedder: Embedder, { owner, turns, onDone }: WatchedOptions): Embedder {
  return {
    card: embedder.card,
    counter: embedder.counter,
    async embedPassages(texts, options) {
      const embeddings = await embedder.embedPassages(texts, { ...options, owner });
      onDone();
      return embeddings;
    },
    async embedQuery(text, options) {
      const embedding = await embedder.embedQuery(text, { ...options, owner });
      // Many queries are embedded while one search looks for its passages, and their searches would go on at once.
      await turns.next(owner);
      return embedding;
    },
    countTokens: (text) => embedder.countTokens(text),
    close: () => embedder.close(),
  };
}
