import { statSync } from 'node:fs';
import path from 'node:path';
import { openEngine, type SearchEngine } from 'waymark';
import { inTemporaryFolder } from '../support/folders/temporary-folder.js';
import { SECTIONS } from '../support/synthetic/document.js';
import { syntheticEmbedder } from '../support/synthetic/embedder.js';
import { writeDocuments } from '../support/synthetic/write-documents.js';
import { compareIndexes, type Figures } from './compare-indexes.js';

export interface ChurnOptions {
  readonly passages: number;
  /** Times that the content of every file is replaced. */
  readonly rounds: number;
  readonly index: 'exact' | 'hnsw';
  readonly queries: readonly string[];
}

/** An index whose files were all replaced, compared with a fresh index of their last content. */
export interface ChurnResult {
  readonly index: string;
  readonly passages: number;
  readonly rounds: number;
  readonly replaced: IndexFigures;
  readonly fresh: IndexFigures;
  /** Size of the replaced database before the first round and after each: whether it keeps growing. */
  readonly bytesByRound: readonly number[];
}

export interface IndexFigures extends Figures {
  /** Size of the closed database with its log. */
  readonly bytes: number;
}

/** Replaces every file several times and compares the index with a fresh one. */
export function measureChurn({ passages, rounds, index, queries }: ChurnOptions): Promise<ChurnResult> {
  return inTemporaryFolder(async (folder) => {
    const documents = path.join(folder, 'documents');
    const [replaced, fresh] = ['replaced.db', 'fresh.db'].map((name) => path.join(folder, name)) as [string, string];
    const engines: SearchEngine[] = [];
    const open = async (database: string, kind: 'exact' | 'hnsw') => {
      const engine = await openEngine({ database, index: kind, model: await syntheticEmbedder() });
      engines.push(engine);
      return engine;
    };
    const bytesByRound: number[] = [];
    let figures: { replaced: Figures; fresh: Figures };
    try {
      const worn = await open(replaced, index);
      const files = Math.ceil(passages / SECTIONS);
      for (let round = 0; round <= rounds; round++) {
        writeDocuments(documents, { passages, first: round * files });
        await worn.indexFolder(documents);
        bytesByRound.push((await worn.status()).bytes ?? 0);
      }
      const unworn = await open(fresh, index);
      await unworn.indexFolder(documents);
      const exact = index === 'exact' ? unworn : await open(fresh, 'exact');
      figures = await compareIndexes({ replaced: worn, fresh: unworn, exact }, queries);
    } finally {
      await Promise.all(engines.map((engine) => engine.close()));
    }
    return {
      index,
      passages,
      rounds,
      replaced: { ...figures.replaced, bytes: bytesOf(replaced) },
      fresh: { ...figures.fresh, bytes: bytesOf(fresh) },
      bytesByRound,
    };
  });
}

function bytesOf(database: string): number {
  const sizes = ['', '-wal'].map((end) => statSync(database + end, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}
