import { types } from 'node:util';
import { serialize } from 'node:v8';
import { validate } from '../contract/validate.js';
import { assertNotAborted } from '../domain/abortable.js';
import { errorOf, WaymarkError, type WaymarkErrorCode } from '../domain/errors.js';
import { z } from '../domain/zod.js';
import { checkEmbedding } from '../vectors/vector-index.js';
import type { Embedder, EmbedOptions, ModelCard, TokenCounterSource } from './embedder.js';
import { cardFields } from './model/card-fields.js';

/**
 * Codes with which an embedder may report an error itself; everything else that it throws becomes `EMBEDDER_FAILED`.
 */
const OWN_CODES: ReadonlySet<WaymarkErrorCode> = new Set(['TEXT_TOO_LONG', 'EMBEDDING_INVALID', 'EMBEDDER_FAILED']);

const methodSchema = z.custom((given) => typeof given === 'function').describe('a function');

const embedderSchema = z.object({
  embedPassages: methodSchema,
  embedQuery: methodSchema,
  close: methodSchema,
  card: z
    .object({
      id: z.string().min(1).describe('a string that is not empty'),
      ...cardFields,
      fingerprint: z.string().min(1).describe('a string that is not empty'),
    })
    .describe('the card of a model'),
  counter: z
    .object({
      module: z.string().describe('the URL of a module'),
      argument: z.unknown().refine(isSendable).optional().describe('a value that can be cloned, so without functions'),
    })
    .describe('{ module, argument }'),
});

/**
 * Wraps an embedder, which may be a caller's own: its arguments are copied, because it might change them; its results
 * are checked and copied, because it might reuse them; and whatever it throws becomes a `WaymarkError`.
 */
export class CheckedEmbedder implements Embedder {
  readonly card: ModelCard;
  readonly counter: TokenCounterSource;
  readonly #embedder: Embedder;
  #isClosed = false;

  /** Throws `INVALID_ARGUMENT` if the card, the counter or a method is not valid. */
  constructor(embedder: Embedder) {
    const { card, counter } = validate(embedderSchema, embedder);
    const { similarity, ...fields } = card;
    this.card = Object.freeze({ ...fields, ...(similarity && { similarity: Object.freeze(similarity) }) });
    this.counter = Object.freeze(counter);
    this.#embedder = embedder;
  }

  async embedPassages(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]> {
    const answer: unknown = await this.#call(() => this.#embedder.embedPassages([...texts], options), options?.signal);
    if (!Array.isArray(answer) || answer.length !== texts.length) {
      const returned = Array.isArray(answer) ? `${answer.length} embeddings` : 'no list of embeddings';
      throw this.#invalid(`${returned} for ${texts.length} texts: one for each is needed`);
    }
    return Array.from(answer, (embedding) => this.#received(embedding));
  }

  async embedQuery(text: string, options?: EmbedOptions): Promise<Float32Array> {
    return this.#received(await this.#call(() => this.#embedder.embedQuery(text, options), options?.signal));
  }

  countTokens(text: string): Promise<number> {
    return this.#call(() => this.#embedder.countTokens(text));
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#embedder.close();
  }

  async #call<T>(call: () => Promise<T>, signal?: AbortSignal | undefined): Promise<T> {
    try {
      return await call();
    } catch (cause) {
      assertNotAborted(signal);
      if (cause instanceof WaymarkError && (OWN_CODES.has(cause.code) || this.#isClosed)) throw cause;
      const reason = cause instanceof Error ? cause.message.replace(/\.$/, '') : 'it threw no Error';
      throw new WaymarkError('EMBEDDER_FAILED', `${this.card.id} could not embed a text: ${reason}.`, { cause });
    }
  }

  #received(answer: unknown): Float32Array {
    if (!isNumbers(answer)) throw this.#invalid('something other than an array of numbers: return a Float32Array');
    const embedding = Float32Array.from(answer);
    checkEmbedding(embedding, this.card.dimensions);
    return embedding;
  }

  #invalid(returned: string): WaymarkError {
    return new WaymarkError('EMBEDDING_INVALID', `${this.card.id} returned ${returned}.`);
  }
}

/** Whether a value can be sent to a process. */
function isSendable(value: unknown): boolean {
  return errorOf(() => serialize(value)) === undefined;
}

function isNumbers(answer: unknown): answer is ArrayLike<number> {
  if (Array.isArray(answer)) return answer.every((element) => typeof element === 'number');
  return types.isTypedArray(answer) && !types.isBigInt64Array(answer) && !types.isBigUint64Array(answer);
}
