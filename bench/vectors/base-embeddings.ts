import path from 'node:path';
import { openEmbedder, openEngine } from 'waymark';
import type { Corpus } from '../support/collections/collection.js';
import { overriding } from '../support/embedders/overriding.js';
import { inTemporaryFolder } from '../support/folders/temporary-folder.js';

/** Embeddings of all passages of the corpora, as the engine computes them, in the order of their texts. */
export async function baseEmbeddings(corpora: readonly Corpus[]): Promise<Float32Array[]> {
  const { embedder } = await openEmbedder();
  const byText = new Map<string, Float32Array>();
  const recording = overriding(embedder, {
    async embedPassages(texts, options) {
      const embeddings = await embedder.embedPassages(texts, options);
      for (const [i, embedding] of embeddings.entries()) byText.set(texts[i] ?? '', embedding);
      return embeddings;
    },
    // One embedder serves several engines.
    async close() {},
  });
  try {
    for (const { folder } of corpora) {
      await inTemporaryFolder(async (temporary) => {
        const engine = await openEngine({ database: path.join(temporary, 'waymark.db'), model: recording });
        try {
          await engine.indexFolder(folder);
        } finally {
          await engine.close();
        }
      });
    }
  } finally {
    await embedder.close();
  }
  // Files are embedded concurrently, so the order of arrival is random.
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, embedding]) => embedding);
}
