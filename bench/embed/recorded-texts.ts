import path from 'node:path';
import { openEmbedder, openEngine } from 'waymark';
import { hashVectors } from '../support/embedders/hash-vectors.js';
import { inTemporaryFolder } from '../support/folders/temporary-folder.js';

export interface RecordedTexts {
  readonly files: number;
  readonly passages: number;
  /** What the model embeds, in order; fewer than the passages if some are identical. */
  readonly texts: readonly string[];
}

/** The texts that the bundled model would embed to index a folder. */
export function recordTexts(folder: string): Promise<RecordedTexts> {
  return inTemporaryFolder(async (temporary) => {
    const { embedder } = await openEmbedder();
    const recorded: string[] = [];
    const model = hashVectors(embedder, { onTexts: (texts) => recorded.push(...texts) });
    const engine = await openEngine({ database: path.join(temporary, 'waymark.db'), model });
    try {
      await engine.indexFolder(folder);
      const { files, passages } = await engine.status();
      return { files, passages, texts: recorded.map((text) => embedder.card.passagePrefix + text) };
    } finally {
      await engine.close();
    }
  });
}
