import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Embedder, openEmbedder, openEngine } from 'waymark';
import type { Corpus } from '../collections/collection.js';

/** The embeddings of all passages of some folders, as the engine makes them; in the order of their texts. */
export async function baseEmbeddings(corpora: readonly Corpus[]): Promise<Float32Array[]> {
  const { embedder } = await openEmbedder();
  const seen = new Map<string, Float32Array>();
  try {
    for (const { folder } of corpora) await embedFolder(folder, listening(embedder, seen));
  } finally {
    await embedder.close();
  }
  // Files are read side by side, so what comes first is chance.
  return [...seen].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, embedding]) => embedding);
}

/** The embedder, with all that it embeds kept; it stays open when the engine closes it. */
function listening(embedder: Embedder, seen: Map<string, Float32Array>): Embedder {
  return {
    card: embedder.card,
    counter: embedder.counter,
    embedQuery: (text) => embedder.embedQuery(text),
    countTokens: (text) => embedder.countTokens(text),
    async embedPassages(texts, options) {
      const embeddings = await embedder.embedPassages(texts, options);
      for (const [i, embedding] of embeddings.entries()) seen.set(texts[i] ?? '', embedding);
      return embeddings;
    },
    async close() {},
  };
}

async function embedFolder(folder: string, model: Embedder): Promise<void> {
  const temporary = mkdtempSync(path.join(tmpdir(), 'waymark-bench-vectors-'));
  try {
    const engine = await openEngine({ database: path.join(temporary, 'waymark.db'), model });
    try {
      await engine.indexFolder(folder);
    } finally {
      await engine.close();
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
