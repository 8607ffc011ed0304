/** What is checked, in this order: first what all bots share, then the parts of each bot. */
export type Check =
  | 'cluster'
  | 'native modules'
  | 'free space'
  | 'schema'
  | 'structure'
  | 'embeddings'
  | 'changes'
  | 'settings'
  | 'files'
  | 'model'
  | 'passages'
  | 'postings'
  | 'snapshot';

/** The result of one check. */
export interface Finding {
  /** The name of the check. */
  readonly check: Check;
  /** `warning`: works, but needs attention; `damaged`: searches fail, or their results are incomplete or wrong. */
  readonly state: 'ok' | 'warning' | 'damaged';
  /** Name of the bot that was checked; absent for checks of the whole database. */
  readonly bot?: string;
  /** One sentence. */
  readonly message: string;
  /** What to do next; absent if `state` is `ok`. */
  readonly remedy?: string;
}

/** The remedy for damage that can be repaired. */
export const REPAIR = 'waymark doctor --repair';

/** The remedy for damage that cannot be repaired. */
export const INDEX_AGAIN = 'index again into a new file with --database; texts that came from no folder are lost';
