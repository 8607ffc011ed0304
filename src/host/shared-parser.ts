import { WaymarkError } from '../domain/errors.js';
import { FairQueue } from '../domain/scheduling/fair-queue.js';
import type { Parser } from '../indexing/indexing.js';
import type { ParsePool } from '../indexing/parsing/parse-pool.js';

/** A text that waits for a process. */
interface Waiting {
  readonly begin: () => void;
  readonly reject: (error: WaymarkError) => void;
}

/**
 * Lends the parse processes of a model to its bots in turns, by the time that their texts take. A bot has one process
 * at a time, so that with two processes a text that takes long to parse does not delay other bots.
 */
export class SharedParser {
  readonly #pool: ParsePool;
  readonly #onParsed: () => void;
  readonly #queue = new FairQueue<Waiting>();
  /** Bots whose text is being parsed. */
  readonly #parsing = new Set<unknown>();

  /** `onParsed` is called after each text. */
  constructor(pool: ParsePool, onParsed: () => void) {
    this.#pool = pool;
    this.#onParsed = onParsed;
  }

  /** The parser of one bot. */
  of(botId: string): Parser {
    return {
      size: this.#pool.size,
      parse: (...given) => this.#inTurn(botId, () => this.#pool.parse(...given)),
      extract: (bytes, format) => this.#inTurn(botId, () => this.#pool.extract(bytes, format)),
      measure: (contents) => this.#inTurn(botId, () => this.#pool.measure(contents)),
    };
  }

  /** Ends all processes. Texts that are being parsed, or wait for a process, fail with `ENGINE_CLOSED`. */
  async close(): Promise<void> {
    const closing = this.#pool.close();
    for (const { reject } of this.#queue.takeAll()) {
      reject(new WaymarkError('ENGINE_CLOSED', 'The host was closed while a text waited: open it again.'));
    }
    await closing;
  }

  async #inTurn<T>(botId: string, parse: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin, reject) => {
      this.#queue.add(botId, { begin, reject });
      this.#beginNext();
    });
    const start = performance.now();
    try {
      return await parse();
    } finally {
      this.#onParsed();
      this.#queue.charge(botId, performance.now() - start);
      this.#parsing.delete(botId);
      this.#beginNext();
    }
  }

  #beginNext(): void {
    while (this.#parsing.size < this.#pool.size) {
      const next = this.#queue.take((botId) => !this.#parsing.has(botId));
      if (!next) return;
      this.#parsing.add(next.owner);
      next.item.begin();
    }
  }
}
