import { createHashEmbedder, type Embedder } from 'waymark';

/** An embedder that records every passage text it embeds. Defaults to the hash embedder. */
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
