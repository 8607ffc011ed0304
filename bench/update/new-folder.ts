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
  /** From calling `indexFolder` until all files are found by their words; nothing is searched meanwhile. */
  readonly milliseconds: number;
  /** Searches before, and in another run while files are read and while passages are embedded. */
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
    const documents = path.join(folder, 'documents');
    const bytes = writePieces(documents, options.files);
    const milliseconds = await timeReading(documents, path.join(folder, 'unsearched.db'));
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
      const searched = await searchMeanwhile(engine, { ...options, folder: documents, ask });
      return { files: options.files, bytes, milliseconds, idle: latenciesOf(idle), ...searched };
    } finally {
      await engine.close();
    }
  });
}

async function timeReading(folder: string, database: string): Promise<number> {
  const engine = await openEngine({ database });
  try {
    const started = performance.now();
    let milliseconds = 0;
    await untilStopped(engine, folder, (phase, stop) => {
      if (phase === 'read') return;
      milliseconds = performance.now() - started;
      stop();
    });
    return milliseconds;
  } finally {
    await engine.close();
  }
}

async function searchMeanwhile(
  engine: SearchEngine,
  { folder, searches, ask }: { folder: string; searches: number; ask: () => Promise<number> },
): Promise<Pick<NewFolderResult, 'reading' | 'embedding'>> {
  const times: Record<Phase, number[]> = { read: [], embed: [] };
  let now: Phase = 'read';
  let indexing = true;
  const run = untilStopped(engine, folder, (phase, stop) => {
    now = phase;
    if (times.embed.length >= searches) stop();
  }).finally(() => {
    indexing = false;
  });
  while (indexing && times.embed.length < searches) {
    const phase = now;
    times[phase].push(await ask());
  }
  await run;
  return { reading: latenciesOf(times.read), embedding: latenciesOf(times.embed) };
}

type Phase = IndexProgress['phase'];

/** Indexes a folder to its end, or until told to stop. */
async function untilStopped(
  engine: SearchEngine,
  folder: string,
  watch: (phase: Phase, stop: () => void) => void,
): Promise<void> {
  const stopping = new AbortController();
  const onProgress = ({ phase }: IndexProgress) => watch(phase, () => stopping.abort());
  try {
    await engine.indexFolder(folder, { onProgress, signal: stopping.signal });
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  }
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
