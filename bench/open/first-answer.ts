// A process that opens an index, asks two queries, and sends the times.
import { once } from 'node:events';
import { type IndexKind, openEngine } from 'waymark';
import { syntheticEmbedder } from '../support/synthetic/embedder.js';

export interface OpenTask {
  readonly database: string;
  readonly index: IndexKind;
  readonly queries: readonly [string, string];
}

/** Milliseconds, and megabytes of the main process. */
export interface OpenTimes {
  /** From the start of the process until all modules are loaded. */
  readonly load: number;
  /** `openEngine`, with the card and the fingerprint of the model. */
  readonly open: number;
  /** The first `searchFiles`, which loads the model. */
  readonly firstSearch: number;
  /** `open` and `firstSearch` together. */
  readonly firstAnswer: number;
  readonly secondSearch: number;
  /** Resident memory, without the embedding processes. */
  readonly rss: number;
  /** The index that answered: `exact` or `hnsw`. */
  readonly index: string;
}

const load = performance.now();
const [{ database, index, queries }] = (await once(process, 'message')) as [OpenTask];
const started = performance.now();
const engine = await openEngine({ database, index, model: await syntheticEmbedder() });
const opened = performance.now();
await engine.searchFiles({ query: queries[0] });
const answered = performance.now();
await engine.searchFiles({ query: queries[1] });
const reply: OpenTimes = {
  load,
  open: opened - started,
  firstSearch: answered - opened,
  firstAnswer: answered - started,
  secondSearch: performance.now() - answered,
  rss: process.memoryUsage.rss() / 1e6,
  index: (await engine.status()).index,
};
process.send?.(reply);
await engine.close();
process.disconnect();
