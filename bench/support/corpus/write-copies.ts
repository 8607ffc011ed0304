import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openEmbedder, openEngine } from 'waymark';
import { hashVectors } from '../embedders/hash-vectors.js';
import { inTemporaryFolder } from '../folders/temporary-folder.js';
import type { MarkdownFile } from './markdown-files.js';
import { variedMarkdown } from './varied-markdown.js';

/** Writes varied copies of markdown files into a folder, up to so many passages. */
export async function writeCopies(
  folder: string,
  { files, passages }: { readonly files: readonly MarkdownFile[]; readonly passages: number },
): Promise<void> {
  const counts = await passagesOf(files);
  let written = 0;
  for (let copy = 1; written < passages; copy++) {
    for (const [i, { key, text }] of files.entries()) {
      written += counts[i] ?? 0;
      if (written > passages) return;
      const file = path.join(folder, `copy-${copy}`, key);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, variedMarkdown(text, { copy }));
    }
  }
}

/** Number of passages of each file. */
function passagesOf(files: readonly MarkdownFile[]): Promise<number[]> {
  return inTemporaryFolder(async (folder) => {
    const { embedder } = await openEmbedder();
    const engine = await openEngine({ database: path.join(folder, 'waymark.db'), model: hashVectors(embedder) });
    try {
      const totals = [0];
      for (const { key, text } of files) {
        await engine.indexFile(key, variedMarkdown(text, { copy: 1 }));
        totals.push((await engine.status()).passages);
      }
      return files.map((_, i) => (totals[i + 1] ?? 0) - (totals[i] ?? 0));
    } finally {
      await engine.close();
    }
  });
}
