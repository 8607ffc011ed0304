import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openEmbedder, openEngine } from 'waymark';
import { instantEmbedder } from './instant-embedder.js';

export interface Recorded {
  readonly files: number;
  readonly passages: number;
  /** As the model is given them, in that order; fewer than passages where some are the same. */
  readonly texts: readonly string[];
}

/** The texts that indexing a folder gives to the bundled model. */
export async function recordTexts(folder: string): Promise<Recorded> {
  const temporary = mkdtempSync(path.join(tmpdir(), 'waymark-bench-record-'));
  const { embedder } = await openEmbedder();
  const given: string[] = [];
  const model = instantEmbedder(embedder, { onTexts: (texts) => given.push(...texts) });
  const engine = await openEngine({ database: path.join(temporary, 'waymark.db'), model });
  try {
    await engine.indexFolder(folder);
    const { files, passages } = await engine.status();
    return { files, passages, texts: given.map((text) => embedder.card.passagePrefix + text) };
  } finally {
    await engine.close();
    rmSync(temporary, { recursive: true, force: true });
  }
}
