import { WaymarkError } from '../domain/errors.js';
import { BUNDLED, type ModelSource, type OpenedEmbedder, openEmbedder } from '../embed/open-embedder.js';
import { closeAll } from '../engine/close-all.js';
import type { SharedParser } from './shared-parser.js';

/** A model that several bots share. */
export interface SharedModel {
  readonly key: string;
  readonly opened: Promise<OpenedEmbedder>;
  /** Stops opening it, which may take minutes where it is fetched from a hub. */
  readonly stop: AbortController;
  /** Known once the model is opened. */
  fingerprint?: string;
  /** Parses for the bots of this model, with its token counter. */
  parser?: SharedParser;
  /** Bots that use it. */
  uses: number;
}

/** Models by their location: each is opened once for all its bots, and closed with the last of them. */
export class SharedModels {
  readonly #models = new Map<string, SharedModel>();
  readonly #processes: number | undefined;
  #isClosed = false;

  constructor({ processes }: { readonly processes?: number | undefined }) {
    this.#processes = processes;
  }

  /** Whether `close` was called. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Takes the model at a location for one more bot; `opened` is an embedder that was already opened from there. If the
   * open model has another `fingerprint`, its files have changed, and it is opened again. Throws `ENGINE_CLOSED` after
   * `close`.
   */
  take(
    source: ModelSource | undefined,
    { fingerprint, opened }: { fingerprint?: string | undefined; opened?: OpenedEmbedder },
  ): SharedModel {
    if (this.#isClosed) throw closedHost();
    const location = keyOf(source);
    const before = this.#models.get(location)?.fingerprint;
    const key = before === undefined || (fingerprint ?? before) === before ? location : `${location} ${fingerprint}`;
    const model = this.#models.get(key) ?? this.#open(key, { source, opened });
    model.uses += 1;
    return model;
  }

  /** Returns the model of one bot. Its processes, which take a few hundred megabytes, end with the last bot. */
  async release(model: SharedModel): Promise<void> {
    model.uses -= 1;
    if (model.uses > 0) return;
    if (this.#models.get(model.key) === model) this.#models.delete(model.key);
    await close(model);
  }

  /** Stops lending models, and closes all of them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await closeAll([...this.#models.values()].map((model) => () => close(model)));
  }

  #open(
    key: string,
    { source, opened }: { source: ModelSource | undefined; opened: OpenedEmbedder | undefined },
  ): SharedModel {
    const stop = new AbortController();
    const { signal } = stop;
    const opening = opened ? Promise.resolve(opened) : openEmbedder(source, { processes: this.#processes, signal });
    const orClosed = opening.catch((error: unknown) => {
      throw signal.aborted ? closedHost() : error;
    });
    const model: SharedModel = { key, opened: orClosed, stop, uses: 0 };
    this.#models.set(key, model);
    orClosed.then(
      ({ embedder }) => {
        model.fingerprint = embedder.card.fingerprint;
      },
      () => this.#models.delete(key),
    );
    return model;
  }
}

async function close(model: SharedModel): Promise<void> {
  model.stop.abort();
  // A failure to open is reported to the calls that await the model.
  const opened = await model.opened.catch(() => undefined);
  await closeAll([() => opened?.embedder.close(), () => model.parser?.close()]);
}

/** The error of calls after the host was closed. */
export function closedHost(): WaymarkError {
  return new WaymarkError('ENGINE_CLOSED', 'The host is closed: open it again with openHost.');
}

/** The key of a location; the bundled model has one key, whichever way it was named. */
function keyOf(source: ModelSource | undefined): string {
  if (source === undefined || source === BUNDLED) return JSON.stringify({ folder: BUNDLED });
  if (typeof source === 'string') return source;
  return 'embedPassages' in source ? source.card.fingerprint : JSON.stringify(source);
}
