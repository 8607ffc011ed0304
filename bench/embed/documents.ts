import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openEmbedder, openEngine } from 'waymark';
import { instantEmbedder } from './instant-embedder.js';
import { variedDocument } from './varied-document.js';

export interface Document {
  /** Relative path with forward slashes. */
  readonly key: string;
  readonly text: string;
}

/** The markdown files of a folder, by key. */
export function readDocuments(folder: string): Document[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.mdx?$/.test(file))
    .map((file) => ({ key: file.split(path.sep).join('/'), text: readFileSync(path.join(folder, file), 'utf8') }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Writes varied copies of documents into a folder, as many as have so many passages together, or a few less. */
export async function writePassages(
  folder: string,
  { documents, passages }: { readonly documents: readonly Document[]; readonly passages: number },
): Promise<void> {
  const counts = await passagesOf(documents);
  let written = 0;
  for (let copy = 1; written < passages; copy++) {
    for (const [i, { key, text }] of documents.entries()) {
      written += counts[i] ?? 0;
      if (written > passages) return;
      const file = path.join(folder, `copy-${copy}`, key);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, variedDocument(text, { copy }));
    }
  }
}

/** How many passages each document is cut into. */
async function passagesOf(documents: readonly Document[]): Promise<number[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-bench-count-'));
  const { embedder } = await openEmbedder();
  const engine = await openEngine({ database: path.join(folder, 'waymark.db'), model: instantEmbedder(embedder) });
  try {
    const totals = [0];
    for (const { key, text } of documents) {
      await engine.indexFile(key, variedDocument(text, { copy: 1 }));
      totals.push((await engine.status()).passages);
    }
    return documents.map((_, i) => (totals[i + 1] ?? 0) - (totals[i] ?? 0));
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
