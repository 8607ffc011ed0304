import { limitError } from './excess.js';
import { jsonBytes } from './json-bytes.js';
import { LIMITS } from './limits.js';
import type { FileSummary } from './passage.js';

/** Counts the bytes of an answer while it is put together. */
export class AnswerSize {
  readonly #advice: string;
  /** The bytes of each file so far: an answer repeats a file with each of its passages. */
  readonly #files = new Map<Pick<FileSummary, 'tags' | 'metadata'>, number>();
  #bytes = 0;

  /** `advice` is what to do when the answer is too large. */
  constructor(advice: string) {
    this.#advice = advice;
  }

  /** Adds texts. Throws `RESPONSE_TOO_LARGE`. */
  addTexts(...texts: readonly string[]): void {
    for (const text of texts) this.#add(Buffer.byteLength(text));
  }

  /** Adds a passage, with the tags and metadata of its file. Throws `RESPONSE_TOO_LARGE`. */
  addPassage(file: Pick<FileSummary, 'tags' | 'metadata'>, ...texts: readonly string[]): void {
    const known = this.#files.get(file);
    const bytes = known ?? bytesOf(file.tags) + bytesOf(file.metadata);
    if (known === undefined) this.#files.set(file, bytes);
    this.#add(bytes);
    this.addTexts(...texts);
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > LIMITS.response.value) throw limitError({ limit: LIMITS.response }, this.#advice);
  }
}

/** The bytes of a value as JSON; beyond the limit of an answer, one more than the limit. */
function bytesOf(json: object): number {
  return jsonBytes(json, LIMITS.response.value) ?? LIMITS.response.value + 1;
}
