import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type IndexProgress, openEngine, type SearchEngine } from 'waymark';
import { readDocuments } from '../embed/documents.js';
import { variedDocument } from '../embed/varied-document.js';
import { type Latencies, latenciesOf, timed } from '../http/latencies.js';
import { PACKAGE_ROOT } from '../package-root.js';
import { freshQueries } from '../query/fresh-queries.js';
import { inTemporaryFolder } from './temporary-folder.js';

export interface NewFolderResult {
  readonly files: number;
  readonly bytes: number;
  /** From calling `indexFolder` until all files are found by their words. */
  readonly milliseconds: number;
  /** Searches before, while files are read and while passages are embedded. */
  readonly idle: Latencies;
  readonly reading: Latencies;
  readonly embedding: Latencies;
}

/** Characters of a file. */
const LENGTH = 5000;

/** Between two searches, as of somebody who reads the answer. */
const PAUSE = 20;

const WARM_UP = 50;

/**
 * A folder that is new to an index which is searched meanwhile; with the bundled model. Embedding it takes minutes: it is
 * stopped when enough searches were timed.
 */
export function measureNewFolder(options: {
  readonly files: number;
  readonly searches: number;
  readonly queries: readonly string[];
}): Promise<NewFolderResult> {
  return inTemporaryFolder(async (folder) => {
    const bytes = writePieces(path.join(folder, 'documents'), options.files);
    const engine = await openEngine({ database: path.join(folder, 'waymark.db') });
    try {
      await engine.indexFolder(path.join(PACKAGE_ROOT, 'corpus'));
      const queryOf = freshQueries(options.queries);
      let asked = 0;
      const ask = async () => {
        await setTimeout(PAUSE);
        return timed(() => engine.searchFiles({ query: queryOf(asked++) }));
      };
      const idle: number[] = [];
      for (let i = -WARM_UP; i < options.searches; i++) {
        const time = await ask();
        if (i >= 0) idle.push(time);
      }
      const indexing = await measureIndexing(engine, { ...options, folder: path.join(folder, 'documents'), ask });
      return { files: options.files, bytes, idle: latenciesOf(idle), ...indexing };
    } finally {
      await engine.close();
    }
  });
}

async function measureIndexing(
  engine: SearchEngine,
  { folder, searches, ask }: { folder: string; searches: number; ask: () => Promise<number> },
): Promise<Pick<NewFolderResult, 'milliseconds' | 'reading' | 'embedding'>> {
  const stopping = new AbortController();
  let phase: IndexProgress['phase'] = 'read';
  let milliseconds = 0;
  let indexing = true;
  const started = performance.now();
  const onProgress = (progress: IndexProgress) => {
    if (phase === 'read' && progress.phase === 'embed') milliseconds = performance.now() - started;
    phase = progress.phase;
  };
  const run = engine
    .indexFolder(folder, { onProgress, signal: stopping.signal })
    .catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    })
    .finally(() => {
      indexing = false;
    });
  const times: Record<IndexProgress['phase'], number[]> = { read: [], embed: [] };
  while (indexing && times.embed.length < searches) {
    const before = phase;
    times[before].push(await ask());
  }
  stopping.abort();
  await run;
  return { milliseconds, reading: latenciesOf(times.read), embedding: latenciesOf(times.embed) };
}

/** Pieces of the corpus, varied so that no two files share a passage. Returns their bytes. */
function writePieces(folder: string, files: number): number {
  mkdirSync(folder, { recursive: true });
  const text = readDocuments(path.join(PACKAGE_ROOT, 'corpus'))
    .map((document) => document.text.replace(/^---\n.*?\n---\n/s, ''))
    .join('\n\n');
  const pieces = Math.floor(text.length / LENGTH);
  let bytes = 0;
  for (let i = 0; i < files; i++) {
    const start = (i % pieces) * LENGTH;
    const piece = `# Piece ${i}\n\n${text.slice(start, start + LENGTH)}`;
    const varied = variedDocument(piece, { copy: i + 1 });
    bytes += Buffer.byteLength(varied);
    writeFileSync(path.join(folder, `${i}.md`), varied);
  }
  return bytes;
}
