import type { Turns } from '../domain/scheduling/turns.js';
import type { Embedder } from '../embed/embedder.js';
import { overridden } from '../engine/models/overridden-embedder.js';

/** How a host follows what is embedded. */
interface WatchedOptions {
  /** In which searches go on once their query is embedded; shared by all owners. */
  readonly turns: Turns;
  /** Called after each batch of passages. */
  readonly onDone: () => void;
}

/** The same embedder, whose owners also take turns when their queries are embedded. */
export function watched(embedder: Embedder, { turns, onDone }: WatchedOptions): Embedder {
  return overridden(embedder, {
    async embedPassages(texts, options) {
      const embeddings = await embedder.embedPassages(texts, options);
      onDone();
      return embeddings;
    },
    async embedQuery(text, options) {
      const embedding = await embedder.embedQuery(text, options);
      // Many queries are embedded while one search looks for its passages, and their searches would go on at once.
      await turns.next(options?.owner, options?.signal);
      return embedding;
    },
  });
}
