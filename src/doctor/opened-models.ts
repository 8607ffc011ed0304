import { type Abortable, assertNotAborted } from '../domain/abortable.js';
import { BUNDLED, type ModelSource, openEmbedder } from '../embed/open-embedder.js';
import { sourceOf } from '../engine/models/recorded-model.js';
import { Parsers } from '../engine/parsers.js';
import type { ModelRow } from '../sqlite/accounts/sqlite-models.js';
import type { BotContext } from './context.js';

type OpenedModel = Pick<BotContext, 'embedder' | 'failure' | 'parserOf'>;

/** The models of an examination. Each is opened once: reading a model to fingerprint it takes a second. */
export class OpenedModels {
  readonly #given: ModelSource | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #opened = new Map<string, Promise<OpenedModel>>();
  readonly #closing: (() => Promise<void>)[] = [];

  /** `given`, if defined, is used in place of the recorded model of every bot. */
  constructor(given: ModelSource | undefined, { signal }: Abortable) {
    this.#given = given;
    this.#signal = signal;
  }

  /** A model that cannot be opened is a finding, not an error. Throws `ABORTED` while it is fetched. */
  async of(recorded: ModelRow | undefined): Promise<OpenedModel> {
    const source = this.#given ?? sourceOf(recorded) ?? { folder: BUNDLED };
    const key = this.#given ? '' : JSON.stringify(source);
    const opened = this.#opened.get(key) ?? this.#open(source);
    this.#opened.set(key, opened);
    return opened;
  }

  async close(): Promise<void> {
    for (const close of this.#closing) await close();
  }

  async #open(source: ModelSource): Promise<OpenedModel> {
    try {
      const { embedder, location } = await openEmbedder(source, { signal: this.#signal });
      // An embedder that was passed as an object stays open.
      if (location) this.#closing.push(() => embedder.close());
      const parsers = new Parsers(embedder);
      this.#closing.push(() => parsers.close());
      return { embedder, failure: undefined, parserOf: (cutting) => parsers.of(cutting) };
    } catch (error) {
      assertNotAborted(this.#signal);
      const parserOf = () => {
        throw new RangeError('cutting a text requires its model');
      };
      return { embedder: undefined, failure: error as Error, parserOf };
    }
  }
}
