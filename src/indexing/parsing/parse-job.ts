import type { TokenCounterSource } from '../../embed/embedder.js';
import type { CuttingOptions, ParsedFile } from '../../formats/parser.js';
import type { PassageToPut } from '../../storage/passage-store.js';
import type { MeasuredPassage } from './measured-passage.js';

/** What every job of a process has in common. */
export interface ParseSettings {
  readonly counter: TokenCounterSource;
  readonly cutting: CuttingOptions;
  /** The most tokens that the model reads, those of its prefix included. */
  readonly maxTokens: number;
  /** What the model reads before each passage. */
  readonly passagePrefix: string;
}

/** A text for a process to parse. */
export interface ParseJob {
  readonly text: string;
  /** URL of the module with the parser. */
  readonly parser: string;
  /** As in `ParseOptions`. */
  readonly fallbackTitle: string | undefined;
}

/** Passages that a caller cut, for a process to measure. */
export interface MeasureJob {
  readonly contents: readonly string[];
}

/** The bytes of a file that is not text, for a process to extract its text. */
export interface ExtractJob {
  readonly bytes: Uint8Array;
  /** URL of the module with the extractor. */
  readonly extractor: string;
}

/** A job of a parse process. */
export type Job = ParseJob | MeasureJob | ExtractJob;

/** A parsed file whose passages are ready to be stored. */
export type CutFile = Omit<ParsedFile, 'passages'> & { readonly passages: readonly PassageToPut[] };

/** The result of a job. */
export interface Result<J extends Job> {
  readonly value: J extends ParseJob
    ? Omit<ParsedFile, 'passages'>
    : J extends ExtractJob
      ? undefined
      : readonly MeasuredPassage[];
  /**
   * For a parsed file, its passages as JSON, an array of some of them in each part; for an extracted file, its text.
   * The event loop decodes one part at a time. Passages as objects of one message would block it, and take five times
   * as long.
   */
  readonly parts: readonly string[];
}

/** Code units or bytes of a part of a message: about a millisecond of the event loop. */
export const PART = 1 << 20;

/** What a job may take before its process is ended. */
export interface JobLimits {
  /** Milliseconds of the main thread's processor time, once the modules of the job are loaded. */
  readonly processorTime: number;
  /** Megabytes, in the heap and outside, beyond those that the process has when the job begins. */
  readonly memory: number;
}

/** Why a job was ended: it took too much time, or too much memory. */
export type Exceeded = 'time' | 'memory';

/** The first message to a process. */
export interface ParseStart {
  readonly settings: ParseSettings;
  /** The id of the process that started it. When that ends, this one ends, too. */
  readonly parent: number;
}

/** A message to a process. A long text or many bytes are sent in parts; the job itself carries the last one. */
export type ParseRequest = ParseStart | { readonly part: string | Uint8Array } | { readonly job: Job };

/** A message of a process: for a job, `loaded` once its modules are there, then its parts and a value, or an error. */
export type ParseReply =
  | { readonly type: 'loaded' }
  | { readonly type: 'part'; readonly part: string }
  | { readonly type: 'value'; readonly value: Result<Job>['value'] }
  | { readonly type: 'error'; readonly error: unknown }
  /** The process cannot continue, and ends. */
  | { readonly type: 'failed'; readonly error: unknown };
