import { availableParallelism } from 'node:os';
import { validateSignal } from '../contract/abortable.js';
import { type Abortable, unlessAborted } from '../domain/abortable.js';
import { hasCode } from '../domain/errors.js';
import { Turns } from '../domain/scheduling/turns.js';
import type { OpenedEmbedder } from '../embed/open-embedder.js';
import { assembleEngine } from '../engine/assemble-engine.js';
import { closeAll } from '../engine/close-all.js';
import { cuttingOf } from '../engine/cutting-options.js';
import type { SearchEngine } from '../engine/engine.js';
import { type EngineOptions, warnerOf } from '../engine/engine-options.js';
import type { Watcher, WatchOptions } from '../engine/folders/watcher.js';
import { Watchers } from '../engine/folders/watchers.js';
import { isFormerDefault, sourceOf } from '../engine/models/recorded-model.js';
import { parserOf } from '../engine/parsers.js';
import type { BotRecord } from '../storage/accounts.js';
import type { Storage } from '../storage/storage.js';
import { type SharedModel, SharedModels } from './shared-models.js';
import { SharedParser } from './shared-parser.js';
import { watched } from './watched-embedder.js';

/** Parse processes of a model: two even on one core, so that the system shares it out between two bots. */
const PARSERS = Math.max(2, availableParallelism());

/** A query that loads a model. */
const WARM_UP = 'warm-up';

/** How to open a host: the options of an engine, without the bot. */
export type HostOptions = Omit<EngineOptions, 'bot'>;

/**
 * Runs work with the engine of a bot; runs it again with the next one if the engine was replaced meanwhile. The signal
 * of the caller ends the wait for an engine, whose model may take long to open; the work must watch it itself. Work
 * without a caller has none, and ends with the host.
 */
export type WithEngine = <T>(work: (engine: SearchEngine) => Promise<T>, options: Abortable) => Promise<T>;

/** The engine of a bot, and its model. */
interface Running {
  /** Fingerprint of the former default model that the engine re-embeds the files from. */
  readonly former: string | undefined;
  readonly model: SharedModel;
  readonly engine: Promise<SearchEngine>;
}

/** The former engine of a re-embedded bot, which finishes its calls. */
interface Replaced {
  readonly closed: Promise<void>;
  /** Its model is returned after that. */
  readonly released: Promise<void>;
}

interface BotEnginesParts {
  readonly storage: Storage;
  readonly options: HostOptions;
  readonly opened: OpenedEmbedder;
  readonly advance: () => void;
}

/** The engines of bots, opened when they are needed, and replaced when a bot is re-embedded. */
export class BotEngines {
  readonly #storage: Storage;
  readonly #options: HostOptions;
  readonly #models: SharedModels;
  readonly #running = new Map<string, Running>();
  readonly #opened: OpenedEmbedder;
  readonly #advance: () => void;
  /** The turns of all bots: their searches begin in the one, and go on in the other once their query is embedded. */
  readonly #turns = { begin: new Turns(), goOn: new Turns() };
  readonly #replaced = new Set<Replaced>();
  /** By the ids of their bots. */
  readonly #watchers = new Map<string, Watchers>();

  /** `opened` is the model of bots without files; `advance` is called when a text is parsed or a batch is embedded. */
  constructor({ storage, options, opened, advance }: BotEnginesParts) {
    this.#opened = opened;
    this.#advance = advance;
    this.#storage = storage;
    this.#options = options;
    this.#models = new SharedModels(options);
    this.#models.take(options.model, { opened });
  }

  /**
   * Loads the models of all bots. Warns of a bot whose model cannot be loaded. Throws `EMBEDDER_FAILED` for that of
   * bots without files, `ENGINE_CLOSED`.
   */
  async warmUp(): Promise<void> {
    for (const bot of await this.#storage.accounts.bots.ofEachModel()) {
      await this.#warmUpModelOf(bot).catch((error: Error) => {
        if (this.#models.isClosed) throw error;
        warnerOf(this.#options)(`The model of bot "${bot.name}" could not be loaded: ${error.message}`);
      });
    }
    await this.#opened.embedder.embedQuery(WARM_UP);
  }

  /** See `WithEngine`. Throws `INVALID_ARGUMENT`, `ABORTED`. */
  async use<T>(bot: BotRecord, work: (engine: SearchEngine) => Promise<T>, options: Abortable): Promise<T> {
    const engine = await this.open(bot, options);
    try {
      return await work(engine);
    } catch (error) {
      // The engine is closed if another call has already replaced it.
      if (!hasCode(error, 'MODEL_MISMATCH', 'ENGINE_CLOSED')) throw error;
      const next = await this.open(bot, options);
      if (next === engine) throw error;
      return work(next);
    }
  }

  /** Waits until a search of a bot may begin: bots take turns. Throws `ABORTED`. */
  turn(botId: string, signal: AbortSignal | undefined): Promise<void> {
    return this.#turns.begin.next(botId, signal);
  }

  /** As `SearchEngine.watch`, until the bot is deleted or the host is closed, whatever engine the bot has by then. */
  async watch(bot: BotRecord, options: WatchOptions): Promise<Watcher> {
    const known = this.#watchers.get(bot.id);
    const watchers =
      known ??
      new Watchers({
        list: () => this.use(bot, (engine) => engine.watched.list(), {}),
        update: (...given) => this.use(bot, (engine) => engine.watched.update(...given), {}),
        warn: warnerOf(this.#options),
      });
    this.#watchers.set(bot.id, watchers);
    return watchers.open(options);
  }

  /**
   * The engine of a bot, with the model that its files are embedded with now. The signal ends this call only: others
   * may wait for the same engine. Throws `INVALID_ARGUMENT`, `ABORTED`.
   */
  async open(bot: BotRecord, options: Abortable): Promise<SearchEngine> {
    return unlessAborted(() => this.#open(bot), validateSignal(options));
  }

  /** Ends the engine of a bot. */
  async end(botId: string): Promise<void> {
    const [running, watchers] = [this.#running.get(botId), this.#watchers.get(botId)];
    this.#running.delete(botId);
    this.#watchers.delete(botId);
    const released = running?.engine.then(
      (engine) => engine.close().finally(() => this.#models.release(running.model)),
      // One that could not be opened has released its model.
      () => {},
    );
    await closeAll([() => released, () => watchers?.close()]);
  }

  /** Closes all models, and opens no engine from now on. */
  async closeModels(): Promise<void> {
    const released = [...this.#replaced].map((replaced) => replaced.released);
    await closeAll([() => this.#models.close(), () => Promise.all(released)]);
  }

  /** Closes all engines, which ends their calls. Comes after `closeModels`, and need not wait for it. */
  async close(): Promise<void> {
    // Engines that are being opened are awaited, so that they can be closed.
    const watchersEnded = [...this.#watchers.values()].map((watchers) => watchers.close());
    const running = await fulfilled([...this.#running.values()].map(({ engine }) => engine));
    const closed = [...this.#replaced].map((replaced) => replaced.closed);
    const ended = () => Promise.all([...closed, ...watchersEnded]);
    await closeAll([...running.map((engine) => () => engine.close()), ended]);
  }

  async #warmUpModelOf(bot: BotRecord): Promise<void> {
    await this.open(bot, {});
    const opened = await this.#running.get(bot.id)?.model.opened;
    await opened?.embedder.embedQuery(WARM_UP);
  }

  async #open(bot: BotRecord): Promise<SearchEngine> {
    const running = this.#running.get(bot.id) ?? (await this.#start(bot));
    const engine = await running.engine;
    const recorded = await this.#storage.models.ofBot(bot.id);
    if (!recorded || [running.model.fingerprint, running.former].includes(recorded.fingerprint)) return engine;
    if (this.#running.get(bot.id) === running) {
      this.#running.delete(bot.id);
      this.#replace(running);
    }
    return this.#open(bot);
  }

  async #start(bot: BotRecord): Promise<Running> {
    const recorded = await this.#storage.models.ofBot(bot.id);
    const source = sourceOf(recorded) ?? this.#options.model;
    // Another call may have started it meanwhile.
    const known = this.#running.get(bot.id);
    if (known) return known;
    const former = recorded && isFormerDefault(recorded) ? recorded.fingerprint : undefined;
    const model = this.#models.take(source, { fingerprint: former ? undefined : recorded?.fingerprint });
    const running = { former, model, engine: this.#assemble(bot, model) };
    this.#running.set(bot.id, running);
    running.engine.catch(() => {
      if (this.#running.get(bot.id) === running) this.#running.delete(bot.id);
      // The caller needs the first error, not one of closing.
      return this.#models.release(model).catch(() => {});
    });
    return running;
  }

  async #assemble(bot: BotRecord, model: SharedModel): Promise<SearchEngine> {
    const opened = await model.opened;
    const { embedder } = opened;
    const options = this.#options;
    model.parser ??= new SharedParser(
      parserOf(embedder, cuttingOf(options, embedder.card), { processes: PARSERS }),
      this.#advance,
    );
    return assembleEngine(bot, {
      storage: this.#storage,
      opened: { ...opened, embedder: watched(embedder, { turns: this.#turns.goOn, onDone: this.#advance }) },
      parser: model.parser.of(bot.id),
      options,
    });
  }

  #replace({ engine, model }: Running): void {
    const closed = engine.then((replaced) => replaced.close());
    const released = closed
      .finally(() => this.#models.release(model))
      .catch((error: unknown) => {
        warnerOf(this.#options)(`The engine of a bot that was re-embedded could not be closed: ${String(error)}`);
      })
      .finally(() => this.#replaced.delete(replaced));
    const replaced: Replaced = { closed: closed.catch(() => {}), released };
    this.#replaced.add(replaced);
  }
}

/** The values of those promises that are fulfilled. */
async function fulfilled<T>(promises: Iterable<Promise<T>>): Promise<T[]> {
  const outcomes = await Promise.allSettled(promises);
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}
