// A process that works on an index of its own without end, and tells its memory once a second.
import { setImmediate } from 'node:timers/promises';
import { openEmbedder, openEngine, type SearchEngine } from 'waymark';
import type { Document } from '../embed/documents.js';
import { instantEmbedder } from '../embed/instant-embedder.js';
import { variedDocument } from '../embed/varied-document.js';

export interface WorkTask {
  readonly database: string;
  /** What is indexed before the first look. */
  readonly folder: string;
  readonly documents: readonly Document[];
  readonly queries: readonly string[];
}

/** Memory after a full collection, in bytes. */
export interface Sample {
  /** Seconds since the first look. */
  readonly at: number;
  readonly rss: number;
  readonly heap: number;
  /** What JavaScript objects hold outside the heap. */
  readonly external: number;
  readonly databaseBytes: number;
  readonly passages: number;
  /** Files indexed, edited and removed, and searches, since the first look. */
  readonly operations: number;
}

const SECOND = 1000;
/** Far from the copies in the folder. */
const FIRST_COPY = 1e6;

async function work({ database, folder, documents, queries }: WorkTask): Promise<never> {
  const { embedder } = await openEmbedder();
  const engine = await openEngine({ database, model: instantEmbedder(embedder) });
  await engine.indexFolder(folder);
  const started = performance.now();
  let next = started;
  for (let turn = 0; ; turn++) {
    const document = documents[turn % documents.length];
    const query = queries[turn % queries.length];
    if (!document || query === undefined) throw new RangeError('work needs a document and a query');
    const key = `work/${document.key}`;
    await engine.indexFile(key, variedDocument(document.text, { copy: FIRST_COPY + 2 * turn }));
    await engine.indexFile(key, variedDocument(document.text, { copy: FIRST_COPY + 2 * turn + 1 }));
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
  // What was finished in this turn of the loop may be held until the next.
  await setImmediate();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const at = (performance.now() - started) / 1000;
  return { at, rss, heap: heapUsed, external, databaseBytes: bytes, passages, operations };
}

process.on('disconnect', () => process.exit());
process.once('message', (task: WorkTask) => work(task));
