import { WaymarkError } from '../../domain/errors.js';
import { untilAborted } from '../../domain/until-aborted.js';
import type { Embedder, EmbedPassagesOptions } from '../../embed/embedder.js';
import { checkEmbedding } from '../../vectors/vector-index.js';

/** Texts embedded and written together: half a second of work, so that a kill loses little. */
export const BATCH = 32;

/** Concurrent batches: while one is written, the other keeps the embedder busy. */
export const BATCHES = 2;

interface EmbedTextsOptions extends Required<EmbedPassagesOptions> {
  readonly embedder: Embedder;
}

/**
 * The embeddings of texts, in order. The embedder may be a caller's own: what it throws and returns is checked. Throws
 * `TEXT_TOO_LONG`, `EMBEDDING_INVALID`, `EMBEDDER_FAILED`, `ENGINE_CLOSED`, and `ABORTED` as soon as the signal fires.
 */
export async function embedTexts(
  texts: readonly string[],
  { embedder, signal, owner }: EmbedTextsOptions,
): Promise<readonly Float32Array[]> {
  const { id, dimensions } = embedder.card;
  const embeddings = await answer(texts, { embedder, signal, owner });
  if (embeddings.length !== texts.length) {
    const message = `${id} returned ${embeddings.length} embeddings for ${texts.length} texts: one for each is needed.`;
    throw new WaymarkError('EMBEDDING_INVALID', message);
  }
  for (const embedding of embeddings) checkEmbedding(embedding, dimensions);
  return embeddings;
}

async function answer(
  texts: readonly string[],
  { embedder, signal, owner }: EmbedTextsOptions,
): Promise<readonly Float32Array[]> {
  try {
    // A caller's embedder may throw before it returns a promise.
    const embedding = Promise.resolve().then(() => embedder.embedPassages(texts, { signal, owner }));
    return await untilAborted(embedding, signal);
  } catch (cause) {
    if (signal?.aborted) throw new WaymarkError('ABORTED', 'Embedding was aborted.', { cause });
    if (cause instanceof WaymarkError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new WaymarkError('EMBEDDER_FAILED', `${embedder.card.id} could not embed a text: ${reason}.`, { cause });
  }
}
