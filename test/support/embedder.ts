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

/** A hash embedder that refuses texts with the word `refused`, or every text once `fail` has been called. */
export function refusingEmbedder(): { embedder: Embedder; fail: (reason: Error) => void } {
  const hash = createHashEmbedder();
  let failure: Error | undefined;
  const embedder: Embedder = {
    ...hash,
    async embedPassages(texts, options) {
      if (failure) throw failure;
      if (texts.some((text) => text.includes('refused'))) throw new Error('no such words');
      return hash.embedPassages(texts, options);
    },
  };
  return {
    embedder,
    fail: (reason) => {
      failure = reason;
    },
  };
}
