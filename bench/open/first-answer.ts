// A process of its own: opens an index, asks twice, tells what it took.
import { once } from 'node:events';
import { openEngine } from 'waymark';
import { syntheticEmbedder } from '../synthetic/embedder.js';

export interface OpenRequest {
  readonly database: string;
  readonly index: 'auto' | 'exact' | 'hnsw';
  /** Two queries. */
  readonly queries: readonly [string, string];
}

/** Milliseconds, and megabytes of this process; the ones that embed are not in it. */
export interface OpenReply {
  /** From the start of the process until all modules are loaded. */
  readonly load: number;
  /** `openEngine`, with the model's card and fingerprint. */
  readonly open: number;
  readonly firstSearch: number;
  /** Opening and the first search. */
  readonly firstAnswer: number;
  readonly secondSearch: number;
  readonly rss: number;
  /** What answered: exact or hnsw. */
  readonly index: string;
}

const load = performance.now();
const [{ database, index, queries }] = (await once(process, 'message')) as [OpenRequest];
const started = performance.now();
const engine = await openEngine({ database, index, model: await syntheticEmbedder() });
const opened = performance.now();
await engine.searchFiles({ query: queries[0] });
const answered = performance.now();
await engine.searchFiles({ query: queries[1] });
const reply: OpenReply = {
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
