import { createHashEmbedder, type Embedder } from 'waymark';

/** An embedder, the hash embedder unless given, and a list of every passage text that it was given. */
export function recordingEmbedder(hash = createHashEmbedder()): { embedder: Embedder; embedded: string[] } {
  const embedded: string[] = [];
  const embedder: Embedder = {
    ...hash,
    embedPassages(texts, options) {
      embedded.push(...texts);
      return hash.embedPassages(texts, options);
    },
  };
  return { embedder, embedded };
}
