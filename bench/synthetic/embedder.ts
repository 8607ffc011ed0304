import { type Embedder, openEmbedder } from 'waymark';
import { corpusAnchors } from './anchors.js';
import { syntheticVector } from './vector.js';

/** To be raised whenever documents or vectors are made otherwise. */
export const GENERATOR = 1;

/**
 * An embedder that reads queries with the bundled model, and makes up the embeddings of passages, 500 times as fast. It
 * costs to open and to ask what the bundled model costs: anchors are only read for the first passage.
 */
export async function syntheticEmbedder(): Promise<Embedder> {
  const { embedder } = await openEmbedder();
  let anchors: Promise<Float32Array[]> | undefined;
  return {
    card: {
      ...embedder.card,
      id: `synthetic ${embedder.card.id}`,
      fingerprint: `synthetic ${GENERATOR} ${embedder.card.fingerprint}`,
    },
    counter: embedder.counter,
    embedPassages: async (texts) => {
      anchors ??= corpusAnchors(embedder);
      const known = await anchors;
      return texts.map((text) => syntheticVector(text, known));
    },
    embedQuery: (text) => embedder.embedQuery(text),
    countTokens: (text) => embedder.countTokens(text),
    close: () => embedder.close(),
  };
}
