import type { TokenCounterSource } from '../../embed/embedder.js';
import type { Cutting, ParsedFile } from '../../formats/parser.js';
import type { PassageToPut } from '../../storage/passage-store.js';
import type { MeasuredPassage } from './measured-passage.js';

/** What every job of a thread has in common. */
export interface ParseSettings {
  readonly counter: TokenCounterSource;
  readonly cutting: Cutting;
  /** The most tokens that the model reads, those of its prefix included. */
  readonly maxTokens: number;
  /** What the model reads before each passage. */
  readonly passagePrefix: string;
}

/** A text for a thread to parse. */
export interface ParseJob {
  readonly text: string;
  /** URL of the module with the parser. */
  readonly parser: string;
  /** As in `ParseOptions`. */
  readonly otherwiseTitled: string | undefined;
}

/** Passages that a caller cut, for a thread to measure. */
export interface MeasureJob {
  readonly contents: readonly string[];
}

/** The bytes of a file that is not text, for a thread to extract its text. */
export interface ExtractJob {
  readonly bytes: Uint8Array;
  /** URL of the module with the extractor. */
  readonly extractor: string;
}

export type Job = ParseJob | MeasureJob | ExtractJob;

/** A parsed file whose passages are ready to be stored. */
export type CutFile = Omit<ParsedFile, 'passages'> & { readonly passages: readonly PassageToPut[] };

/**
 * A parsed file as a thread sends it: its passages are JSON, an array of some in each string. The event loop can decode
 * one string at a time; it would decode the objects of a message all at once, and take five times as long.
 */
export type SentFile = Omit<ParsedFile, 'passages'> & { readonly passages: readonly string[] };

export type ResultOf<J extends Job> = J extends ParseJob
  ? SentFile
  : J extends ExtractJob
    ? { readonly text: string }
    : readonly MeasuredPassage[];

/** Why a job was ended: it took too much time, or too much memory. */
export type Exceeded = 'time' | 'memory';

/**
 * What a thread sends for each job: `loaded` once its modules are there, with the number that Linux gives the thread;
 * then a result or an error.
 */
export type ParseMessage = { readonly type: 'loaded'; readonly thread: number | undefined } | ParseReply;

export type ParseReply =
  | { readonly type: 'result'; readonly result: ResultOf<Job> }
  | { readonly type: 'error'; readonly error: unknown };
