import { types } from 'node:util';
import { shown } from '../../contract/validate.js';
import { type Abortable, untilAborted } from '../../domain/abortable.js';
import { WaymarkError } from '../../domain/errors.js';
import { iterate } from '../../domain/scheduling/iterate.js';
import type { ByteSource } from '../../storage/contents.js';

/** The message of an upload whose caller no longer waits. */
export const STOPPED = 'Stopped. Nothing was stored.';

/** The source of a content. Throws `INVALID_ARGUMENT` for anything but bytes or what yields them. */
export function byteSource(content: Uint8Array | AsyncIterable<Uint8Array>): ByteSource {
  if (types.isUint8Array(content)) return [content];
  if (Symbol.asyncIterator in Object(content)) return content;
  const message = `content must be a Uint8Array, or an AsyncIterable of them; it is ${shown(content)}.`;
  throw new WaymarkError('INVALID_ARGUMENT', message);
}

/** Passes on bytes up to an announced size. Counts those beyond it, but leaves them out. */
export class ArrivingBytes {
  readonly #source: ByteSource;
  readonly #announced: number;
  readonly #signal: AbortSignal | undefined;
  #size = 0;

  constructor(source: ByteSource, { announced, signal }: Abortable & { readonly announced: number }) {
    this.#source = source;
    this.#announced = announced;
    this.#signal = signal;
  }

  /** Bytes that have arrived. */
  get size(): number {
    return this.#size;
  }

  /** Throws `INVALID_ARGUMENT` for anything but bytes, and `ABORTED`. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const source = iterate(this.#source);
    const next = () => untilAborted(source.next(), this.#signal, STOPPED);
    try {
      for (let step = await next(); !step.done; step = await next()) {
        const bytes = step.value;
        if (!types.isUint8Array(bytes)) {
          throw new WaymarkError('INVALID_ARGUMENT', `content must yield Uint8Arrays; it yielded ${shown(bytes)}.`);
        }
        yield bytes.subarray(0, Math.max(0, this.#announced - this.#size));
        this.#size += bytes.length;
      }
    } finally {
      // Not awaited: a source of which nothing arrives may never end.
      source.return(undefined).catch(() => {});
    }
  }
}
