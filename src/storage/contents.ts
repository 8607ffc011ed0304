import type { Abortable } from '../domain/abortable.js';

/** The bytes of a content, at once or as they arrive. */
export type ByteSource = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Bytes that are stored, but are not the content of a file yet. */
export interface StagedContent {
  /** Identifies it in its storage. */
  readonly id: string;
  /** Bytes. */
  readonly size: number;
}

/** The upload address that a content was sent to: storing the content closes it. */
export interface UsedAddress {
  /** The hash of its secret. */
  readonly hash: string;
  /** When the upload began, in ISO 8601: the address must have been valid then. */
  readonly since: string;
}

/** Milliseconds after its last part for which a staged content is kept: an hour, as `abandonedContent` says. */
export const STAGED_CONTENT_LIFETIME = 60 * 60_000;

/** Bytes of a content, from `start` up to but not including `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The content of a file. */
export interface FileContent {
  /** Identifies these bytes among all contents that the file has had. */
  readonly version: string;
  /** Bytes. */
  readonly size: number;
  /** Whether it is the text that was indexed, in UTF-8; otherwise it is what was uploaded. */
  readonly isText: boolean;
  /** Whether all of it is UTF-8; undefined for an upload that an earlier version stored. */
  readonly isUtf8: boolean | undefined;
  /**
   * Reads it, a part at a time. Defaults to all of it. Throws `FILE_MISSING` if the content is replaced or deleted
   * meanwhile, unless it is small, and `DATABASE_DAMAGED`.
   */
  read(range?: ByteRange): AsyncIterable<Uint8Array>;
}

/** Stores contents as they arrive, before they become those of files. */
export interface Contents {
  /**
   * Stores bytes for a file of a bot, a part at a time: only one part is in memory. Throws what `source` throws, and
   * `ABORTED`; nothing is stored then.
   */
  stage(source: ByteSource, botId: string, options?: Abortable): Promise<StagedContent>;
  /** Removes a staged content, unless it has become that of a file. */
  discard(content: StagedContent): Promise<void>;
  /** Removes what was staged, but did not become the content of a file within `STAGED_CONTENT_LIFETIME`. */
  removeAbandoned(): Promise<void>;
}

/** Bytes of a part of a content. */
export const PART = 256 << 10;

/** The same bytes in parts of `PART` bytes; the last one may be shorter. */
export async function* partsOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of source) {
    for (let start = 0; start < bytes.length; ) {
      const piece = bytes.subarray(start, start + PART - size);
      pieces.push(piece);
      size += piece.length;
      start += piece.length;
      if (size < PART) continue;
      yield Buffer.concat(pieces);
      pieces = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(pieces);
}
