// A process that works on its own index until it is stopped, and sends a sample of its memory once a second.
import { setImmediate } from 'node:timers/promises';
import { openEmbedder, openEngine, type SearchEngine } from 'waymark';
import type { MarkdownFile } from '../support/corpus/markdown-files.js';
import { variedMarkdown } from '../support/corpus/varied-markdown.js';
import { hashVectors } from '../support/embedders/hash-vectors.js';

export interface WorkTask {
  readonly database: string;
  /** Indexed before the first sample. */
  readonly folder: string;
  readonly files: readonly MarkdownFile[];
  readonly queries: readonly string[];
}

/** Memory in bytes after a full garbage collection. */
export interface Sample {
  /** Seconds since the start of the work. */
  readonly at: number;
  readonly rss: number;
  readonly heap: number;
  /** Held by JavaScript objects outside the heap. */
  readonly external: number;
  readonly databaseBytes: number;
  readonly passages: number;
  /** Files indexed, edited and removed, and searches, so far. */
  readonly operations: number;
}

const SECOND = 1000;
/** Above the copies in the folder. */
const FIRST_COPY = 1e6;

async function work({ database, folder, files, queries }: WorkTask): Promise<never> {
  const { embedder } = await openEmbedder();
  const engine = await openEngine({ database, model: hashVectors(embedder) });
  await engine.indexFolder(folder);
  const started = performance.now();
  let next = started;
  for (let turn = 0; ; turn++) {
    const file = files[turn % files.length];
    const query = queries[turn % queries.length];
    if (!file || query === undefined) throw new RangeError('work needs at least one file and one query');
    const key = `work/${file.key}`;
    await engine.indexFile(key, variedMarkdown(file.text, { copy: FIRST_COPY + 2 * turn }));
    await engine.indexFile(key, variedMarkdown(file.text, { copy: FIRST_COPY + 2 * turn + 1 }));
    await engine.removeFile(key);
    await engine.search(query);
    if (performance.now() < next) continue;
    next += SECOND;
    process.send?.(await sample(engine, { started, operations: 4 * (turn + 1) }));
  }
}

async function sample(
  engine: SearchEngine,
  { started, operations }: { started: number; operations: number },
): Promise<Sample> {
  const { bytes, passages } = await engine.status();
  // Objects of this turn of the event loop may be held until the next.
  await setImmediate();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const at = (performance.now() - started) / 1000;
  return { at, rss, heap: heapUsed, external, databaseBytes: bytes ?? 0, passages, operations };
}

process.on('disconnect', () => process.exit());
process.once('message', (task: WorkTask) => work(task));
