import type { Embedder } from '../../embed/embedder.js';
import { overridden } from './overridden-embedder.js';

/** The same embedder for one of several owners, whose texts it embeds in turns. */
export function owned(embedder: Embedder, owner: unknown): Embedder {
  return overridden(embedder, {
    embedPassages: (texts, options) => embedder.embedPassages(texts, { ...options, owner }),
    embedQuery: (text, options) => embedder.embedQuery(text, { ...options, owner }),
  });
}
