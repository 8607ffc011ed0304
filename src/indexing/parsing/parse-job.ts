import type { TokenCounterSource } from '../../embed/embedder.js';
import type { Cutting, ParsedFile } from '../../formats/parser.js';
import type { PassageToPut } from '../../storage/passage-store.js';

/** What every job of a thread has in common. */
export interface ParseSettings {
  readonly counter: TokenCounterSource;
  readonly cutting: Cutting;
  /** The most tokens that the model reads. */
  readonly maxTokens: number;
}

/** A text for a thread to parse. */
export interface ParseJob {
  readonly text: string;
  /** URL of the module with the parser. */
  readonly parser: string;
}

/** A parsed file whose passages are ready to be stored. */
export type CutFile = Omit<ParsedFile, 'passages'> & { readonly passages: readonly PassageToPut[] };

/** Why a job was ended: it took too much time, or too much memory. */
export type Exceeded = 'time' | 'memory';

/**
 * What a thread sends for each job: `loaded` once its modules are there, with the number that Linux gives the thread;
 * then a file or an error.
 */
export type ParseMessage = { readonly loaded: { readonly thread: number | undefined } } | ParseReply;

export type ParseReply = { readonly file: CutFile } | { readonly error: unknown };
