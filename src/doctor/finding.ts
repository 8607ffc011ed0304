import { WaymarkError } from '../domain/errors.js';

/** What is looked at, in this order: first what all bots share, then what each has. */
export type Check =
  | 'native modules'
  | 'free space'
  | 'schema'
  | 'structure'
  | 'embeddings'
  | 'changes'
  | 'files'
  | 'model'
  | 'passages'
  | 'postings'
  | 'snapshot';

/** What a check found: one thing each. */
export interface Finding {
  readonly check: Check;
  /** `warning`: works, but something is to be known or done; `damaged`: answers are refused, lacking or wrong. */
  readonly state: 'ok' | 'warning' | 'damaged';
  /** Name of the bot whose part it is; missing for what all share. */
  readonly bot?: string;
  /** One sentence. */
  readonly message: string;
  /** The next step; missing where all is well. */
  readonly remedy?: string;
}

/** What mends all that can be made again. */
export const REPAIR = 'waymark doctor --repair';

/** At most so many names are told in one sentence. */
const NAMED = 5;

/** `a, b and 3 more` */
export function named(names: readonly string[]): string {
  const rest = names.length - NAMED;
  return rest > 0 ? `${names.slice(0, NAMED).join(', ')} and ${rest} more` : names.join(', ');
}

/** `1 passage`, `2 passages` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** SQLite's own words, which `WaymarkError` keeps as its cause. */
export function sqliteMessage(error: unknown): string {
  const cause = error instanceof WaymarkError ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
