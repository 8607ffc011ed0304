import path from 'node:path';
import { openEmbedder, openEngine, type Passage } from 'waymark';
import type { MarkdownFile } from '../support/corpus/markdown-files.js';
import { hashVectors } from '../support/embedders/hash-vectors.js';
import { inTemporaryFolder } from '../support/folders/temporary-folder.js';

/** A passage with what is embedded for it. */
export interface CutPassage extends Passage {
  /** What the model would read, without its prefix; undefined if it is unclear which text belongs to this passage. */
  readonly embedded: string | undefined;
}

export interface CutFile extends MarkdownFile {
  readonly passages: readonly CutPassage[];
}

/** Cuts files as they would be for the bundled model, which embeds nothing. */
export function cutFiles(files: readonly MarkdownFile[]): Promise<CutFile[]> {
  return inTemporaryFolder(async (folder) => {
    const { embedder } = await openEmbedder();
    let texts: string[] = [];
    const model = hashVectors(embedder, { onTexts: (batch) => texts.push(...batch) });
    const engine = await openEngine({ database: path.join(folder, 'waymark.db'), model, index: 'exact' });
    try {
      const cut: CutFile[] = [];
      for (const file of files) {
        texts = [];
        await engine.indexFile(file.key, file.text);
        const [hit] = await engine.search(file.key, { mode: 'dense', limit: 1 });
        const passages = hit ? await engine.passagesOf(hit.file.id, { from: 0, to: Number.MAX_SAFE_INTEGER }) : [];
        cut.push({ ...file, passages: withTexts(passages, texts) });
        // Alone in its index, a file embeds all its texts, and is what any search finds.
        await engine.removeFile(file.key);
      }
      return cut;
    } finally {
      await engine.close();
    }
  });
}

/** Texts are embedded in the order of their passages; those of identical passages once. */
function withTexts(passages: readonly Passage[], texts: readonly string[]): CutPassage[] {
  const keys = passages.map(({ breadcrumb, content }) => JSON.stringify([breadcrumb, content]));
  const distinct = [...new Set(keys)];
  const known = distinct.length === texts.length;
  const textOf = new Map(distinct.map((key, i) => [key, texts[i]]));
  return passages.map((passage, i) => ({ ...passage, embedded: known ? textOf.get(keys[i] ?? '') : undefined }));
}
