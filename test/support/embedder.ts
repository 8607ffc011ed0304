import { createHashEmbedder, type Embedder } from 'waymark';

/** The hash embedder, and a list of every passage text that it was given. */
export function recordingEmbedder(): { embedder: Embedder; embedded: string[] } {
  const hash = createHashEmbedder();
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
