import type { Embedder } from '../embed/embedder.js';
import { BUNDLED, type ModelSource, openEmbedder } from '../embed/open.js';
import { cuttingOf, parserOf } from '../engine/cutting-options.js';
import { sourceOf } from '../engine/models/recorded-model.js';
import type { ParsePool } from '../indexing/parsing/parse-pool.js';
import type { ModelRow } from '../sqlite/accounts/sqlite-models.js';
import type { BotContext } from './context.js';

type OpenedModel = Pick<BotContext, 'embedder' | 'failure' | 'parserOf'>;

/** The models of an examination. Each is opened once: reading a model to fingerprint it takes a second. */
export class OpenedModels {
  readonly #given: ModelSource | undefined;
  readonly #opened = new Map<string, Promise<OpenedModel>>();
  readonly #closing: (() => Promise<void>)[] = [];

  /** `given` stands for the recorded model of every bot. */
  constructor(given: ModelSource | undefined) {
    this.#given = given;
  }

  /** A model that cannot be opened is a finding, not an error. */
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
      const { embedder, location } = await openEmbedder(source);
      // An embedder that was passed as an object stays open.
      if (location) this.#closing.push(() => embedder.close());
      return { embedder, failure: undefined, parserOf: this.#parsersFor(embedder) };
    } catch (error) {
      const parserOf = () => {
        throw new RangeError('cutting a text requires its model');
      };
      return { embedder: undefined, failure: error as Error, parserOf };
    }
  }

  #parsersFor(embedder: Embedder): OpenedModel['parserOf'] {
    const pools = new Map<string, ParsePool>();
    this.#closing.push(async () => {
      for (const pool of pools.values()) await pool.close();
    });
    return ({ budget, embedBreadcrumb }) => {
      const key = `${budget} ${embedBreadcrumb}`;
      const cutting = cuttingOf({ passageTokens: budget, embedBreadcrumb }, embedder.card);
      const pool = pools.get(key) ?? parserOf(embedder, cutting);
      pools.set(key, pool);
      return pool;
    };
  }
}
