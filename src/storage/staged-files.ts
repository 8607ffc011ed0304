import type { Subtype } from '../domain/passage.js';
import type { PassageToPut, PendingTexts } from './passage-store.js';

/** Milliseconds after which an unfinished re-embedding is discarded: a week. */
export const REEMBEDDING_LIFETIME = 7 * 24 * 60 * 60_000;

/** A stored file that is to be cut for another model. */
export interface FileToStage {
  /** Ascending in the order in which files are staged. */
  readonly number: number;
  readonly key: string;
  readonly pipeline: string;
  readonly text: string;
  /** Identifies this state of the file: it differs after every change of its passages. */
  readonly version: string;
}

/** A passage of a file that a caller cut. */
export interface GivenCut {
  readonly start: number;
  readonly end: number;
  readonly subtype: Subtype;
  readonly page: number | null;
}

/** Progress of an unfinished re-embedding. */
export interface UnfinishedReembedding {
  /** The model's name. */
  readonly model: string;
  /** Files that are cut for it. */
  readonly files: number;
  /** Passages of those files. */
  readonly passages: number;
  /** Passages of those files whose embedding is stored. */
  readonly embedded: number;
}

/**
 * A bot's files, cut and embedded for another model. They are staged beside the files that are searched, and replace
 * them in one transaction. Everything staged survives a kill. Calls throw `ABORTED` once another process has ended the
 * staging.
 */
export interface StagedFiles extends PendingTexts {
  /** Continues what was staged for this model; discards what was staged for another. */
  begin(): Promise<void>;
  /** The next file whose present state is not staged; with `pipeline`, only of files cut with those settings. */
  nextUnstaged(options: {
    readonly after: number;
    readonly pipeline?: string | undefined;
  }): Promise<FileToStage | undefined>;
  countUnstaged(): Promise<number>;
  /** In document order. */
  givenCuts(file: FileToStage): Promise<readonly GivenCut[]>;
  /** Stages a file; one that has changed since it was read is left for the next round. */
  stage(
    file: FileToStage,
    cut: {
      readonly pipeline: string;
      readonly warnings: readonly string[];
      readonly passages: readonly PassageToPut[];
    },
  ): Promise<void>;
  /**
   * Replaces the searched files and the bot's model with the staged ones. Returns false, and does nothing, if a file is
   * not staged in its present state or a text is not embedded.
   */
  switchOver(): Promise<boolean>;
}
