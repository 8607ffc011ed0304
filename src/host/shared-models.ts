import { type ModelSource, openEmbedder } from '../embed/open.js';
import type { ParsePool } from '../indexing/parsing/parse-pool.js';

export type Opened = Awaited<ReturnType<typeof openEmbedder>>;

/** A model that bots share. */
export interface SharedModel {
  readonly key: string;
  readonly opened: Promise<Opened>;
  /** Known once it is opened. */
  fingerprint?: string;
  /** Parses for its bots, with what counts its tokens. */
  parser?: ParsePool;
  /** Bots that have it. */
  uses: number;
}

/** Models by their place, each opened once for all bots that have it and closed with the last of them. */
export class SharedModels {
  readonly #models = new Map<string, SharedModel>();
  readonly #processes: number | undefined;

  constructor({ processes }: { readonly processes?: number | undefined }) {
    this.#processes = processes;
  }

  /**
   * The model at a place, for one bot more; what is opened there already where that is given. With a fingerprint it is
   * opened again where what was there before had not that: its files have changed.
   */
  take(
    source: ModelSource | undefined,
    { fingerprint, opened }: { fingerprint?: string | undefined; opened?: Opened },
  ): SharedModel {
    const place = placeOf(source);
    const before = this.#models.get(place)?.fingerprint;
    const key = before === undefined || (fingerprint ?? before) === before ? place : `${place} ${fingerprint}`;
    const model = this.#models.get(key) ?? this.#open(key, { source, opened });
    model.uses += 1;
    return model;
  }

  /** For one bot less: with the last its processes end, which take some hundred megabytes. */
  async release(model: SharedModel): Promise<void> {
    model.uses -= 1;
    if (model.uses > 0) return;
    if (this.#models.get(model.key) === model) this.#models.delete(model.key);
    await close(model);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#models.values()].map(close));
  }

  #open(key: string, { source, opened }: { source: ModelSource | undefined; opened: Opened | undefined }): SharedModel {
    const opening = opened ? Promise.resolve(opened) : openEmbedder(source, { processes: this.#processes });
    const model: SharedModel = { key, opened: opening, uses: 0 };
    this.#models.set(key, model);
    opening.then(
      ({ embedder }) => {
        model.fingerprint = embedder.card.fingerprint;
      },
      () => this.#models.delete(key),
    );
    return model;
  }
}

async function close({ opened, parser }: SharedModel): Promise<void> {
  // What cannot be opened is told to who wants it.
  const model = await opened.catch(() => undefined);
  await Promise.all([model?.embedder.close(), parser?.close()]);
}

/** The bundled model is one, by whatever it was named. */
function placeOf(source: ModelSource | undefined): string {
  if (source === undefined || source === 'bge-small-en-v1.5') return JSON.stringify({ folder: 'bge-small-en-v1.5' });
  if (typeof source === 'string') return source;
  return 'embedPassages' in source ? source.card.fingerprint : JSON.stringify(source);
}
