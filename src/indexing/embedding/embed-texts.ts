import { untilAborted } from '../../domain/abortable.js';
import { hasCode, type WaymarkError, type WaymarkErrorCode } from '../../domain/errors.js';
import type { Indexing } from '../indexing.js';

/** Texts embedded and written together: half a second of work, so that a kill loses little. */
export const BATCH = 32;

/** Concurrent batches: while one is written, the other keeps the embedder busy. */
export const BATCHES = 2;

/** Errors that a single text may cause although the embedder works. */
const REJECTIONS: readonly WaymarkErrorCode[] = ['TEXT_TOO_LONG', 'EMBEDDING_INVALID', 'EMBEDDER_FAILED'];

/**
 * The embeddings of texts, in order. Throws what `embedPassages` throws, and `ABORTED` as soon as the signal fires,
 * which the embedder may ignore.
 */
export async function embedTexts(
  texts: readonly string[],
  { embedder, signal }: Pick<Indexing, 'embedder' | 'signal'>,
): Promise<readonly Float32Array[]> {
  return untilAborted(embedder.embedPassages(texts, { signal }), signal);
}

/** Whether the embedder may have rejected one of the texts. */
export function isRejection(error: unknown): error is WaymarkError {
  return hasCode(error, ...REJECTIONS);
}
