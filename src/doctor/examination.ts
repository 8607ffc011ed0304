import type { ModelSource } from '../embed/open-embedder.js';
import type { ClusterOptions } from '../weaviate/connection/cluster-options.js';
import type { Finding } from './finding.js';

/** What to examine. */
export interface ExamineOptions {
  /** Path of the SQLite file. Pass it, or `cluster`. */
  readonly database?: string | undefined;
  /** As in `EngineOptions`. */
  readonly cluster?: ClusterOptions | undefined;
  /** Name or id of the bot to examine. Defaults to all bots. */
  readonly bot?: string | undefined;
  /** As in `EngineOptions`; an embedder that is passed as an object is left open. */
  readonly model?: ModelSource | undefined;
  /** Whether to rebuild what can be rebuilt. Defaults to false. */
  readonly repair?: boolean | undefined;
  /** Stops the examination: it throws `ABORTED`. What is repaired by then stays so. */
  readonly signal?: AbortSignal | undefined;
}

/** What an examination found. */
export interface Examination {
  /** Absolute path, or the addresses of the cluster. */
  readonly database: string;
  /** The worst state of all findings. */
  readonly state: Finding['state'];
  /** One for each check, and for each bot that it examines. */
  readonly findings: readonly Finding[];
  /** What was repaired, a sentence each; empty unless `repair` was set and something was damaged. */
  readonly repaired: readonly string[];
}
