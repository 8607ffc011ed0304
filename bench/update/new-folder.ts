import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type IndexProgress, openEngine, type SearchEngine } from 'waymark';
import { freshQueries } from '../query/fresh-queries.js';
import { readMarkdown } from '../support/corpus/markdown-files.js';
import { variedMarkdown } from '../support/corpus/varied-markdown.js';
import { CORPUS } from '../support/folders/paths.js';
import { inTemporaryFolder } from '../support/folders/temporary-folder.js';
import { type BareRemark, bareRemark } from '../support/remark/bare-remark.js';
import { type Latencies, latenciesOf, timed } from '../support/statistics/latencies.js';

export interface NewFolderResult {
  readonly files: number;
  readonly bytes: number;
  /** From the call of `indexFolder` until a lexical search would find all files; nothing is searched meanwhile. */
  readonly milliseconds: number;
  /** The same texts parsed with bare remark. */
  readonly remark: BareRemark;
  /** Searches before indexing, and in another run while files are read and while passages are embedded. */
  readonly idle: Latencies;
  readonly reading: Latencies;
  readonly embedding: Latencies;
}

/** Characters of a file. */
const LENGTH = 5000;

/** Milliseconds between two searches. */
const PAUSE = 20;

const WARM_UP = 50;

/**
 * Indexes a new folder while the index is searched, with the bundled model. Embedding it would take minutes, so
 * indexing is stopped when enough searches are timed.
 */
export function measureNewFolder(options: {
  readonly files: number;
  readonly searches: number;
  readonly queries: readonly string[];
}): Promise<NewFolderResult> {
  return inTemporaryFolder(async (folder) => {
    const documents = path.join(folder, 'documents');
    const bytes = writePieces(documents, options.files);
    const remark = await bareRemark([documents]);
    const milliseconds = await timeReading(documents, path.join(folder, 'unsearched.db'));
    const engine = await openEngine({ database: path.join(folder, 'waymark.db') });
    try {
      await engine.indexFolder(CORPUS);
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
      return { files: options.files, bytes, milliseconds, remark, idle: latenciesOf(idle), ...searched };
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
  let current: Phase = 'read';
  let indexing = true;
  const run = untilStopped(engine, folder, (phase, stop) => {
    current = phase;
    if (times.embed.length >= searches) stop();
  }).finally(() => {
    indexing = false;
  });
  while (indexing && times.embed.length < searches) {
    const phase = current;
    times[phase].push(await ask());
  }
  await run;
  return { reading: latenciesOf(times.read), embedding: latenciesOf(times.embed) };
}

type Phase = IndexProgress['phase'];

/** Indexes a folder until it is complete or `stop` is called. */
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

/** Writes pieces of the corpus, varied so that no two files share a passage. Returns their size in bytes. */
function writePieces(folder: string, files: number): number {
  mkdirSync(folder, { recursive: true });
  const text = readMarkdown(CORPUS)
    .map((file) => file.text.replace(/^---\n.*?\n---\n/s, ''))
    .join('\n\n');
  const pieces = Math.floor(text.length / LENGTH);
  let bytes = 0;
  for (let i = 0; i < files; i++) {
    const start = (i % pieces) * LENGTH;
    const piece = `# Piece ${i}\n\n${text.slice(start, start + LENGTH)}`;
    const varied = variedMarkdown(piece, { copy: i + 1 });
    bytes += Buffer.byteLength(varied);
    writeFileSync(path.join(folder, `${i}.md`), varied);
  }
  return bytes;
}
