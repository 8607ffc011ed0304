import { statSync } from 'node:fs';
import path from 'node:path';
import { openEngine, type SearchEngine } from 'waymark';
import { SECTIONS } from '../synthetic/document.js';
import { syntheticEmbedder } from '../synthetic/embedder.js';
import { writeDocuments } from '../synthetic/write-documents.js';
import { compared, type Figures } from './compared.js';
import { inTemporaryFolder } from './temporary-folder.js';

export interface ChurnOptions {
  readonly passages: number;
  /** Times that every file gets another content. */
  readonly rounds: number;
  readonly index: 'exact' | 'hnsw';
  readonly queries: readonly string[];
}

/** An index whose files were all replaced, and one that was only ever given their last content. */
export interface ChurnResult {
  readonly index: string;
  readonly passages: number;
  readonly rounds: number;
  readonly replaced: IndexFigures;
  readonly fresh: IndexFigures;
  /** Bytes of the replaced database after its first content and after each round: whether it goes on growing. */
  readonly bytesByRound: readonly number[];
}

export interface IndexFigures extends Figures {
  /** The database with its log, closed. */
  readonly bytes: number;
}

/** What is left behind when every file is replaced, again and again. */
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
      const old = await open(replaced, index);
      const files = Math.ceil(passages / SECTIONS);
      for (let round = 0; round <= rounds; round++) {
        writeDocuments(documents, { passages, first: round * files });
        await old.indexFolder(documents);
        bytesByRound.push((await old.status()).bytes);
      }
      const young = await open(fresh, index);
      await young.indexFolder(documents);
      const exact = index === 'exact' ? young : await open(fresh, 'exact');
      figures = await compared({ replaced: old, fresh: young, exact }, queries);
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
