import type { HighlightOptions } from '../contract/engine/display.js';
import type { AddFolderOptions } from '../contract/engine/index-folder.js';
import type { SimilarOptions } from '../contract/engine/search.js';
import type { Abortable } from '../domain/abortable.js';
import type { Hit, Passage } from '../domain/passage.js';
import type { EngineStatus } from '../engine/engine-status.js';
import type { KnownFolder } from '../engine/folders/known-folder.js';
import type { Watcher, WatchOptions } from '../engine/folders/watcher.js';
import type { Highlight } from '../search/display/highlight.js';
import type { WithEngine } from './bot-engines.js';

/** What the index of a bot holds, besides the answers of its file operations. */
export class BotIndex {
  readonly #engine: WithEngine;
  readonly #watch: (options: WatchOptions) => Promise<Watcher>;

  /** @internal */
  constructor(engine: WithEngine, watch: (options: WatchOptions) => Promise<Watcher>) {
    this.#engine = engine;
    this.#watch = watch;
  }

  /** See `SearchEngine.highlight`. Throws `INVALID_ARGUMENT`. */
  async highlight(query: string, text: string, options: HighlightOptions = {}): Promise<Highlight | undefined> {
    return this.#engine((engine) => engine.highlight(query, text, options), options);
  }

  /** See `SearchEngine.similar`. Throws `INVALID_ARGUMENT`, `RESPONSE_TOO_LARGE`. */
  async similar(passageId: string, options: SimilarOptions = {}): Promise<Hit[] | undefined> {
    return this.#engine((engine) => engine.similar(passageId, options), options);
  }

  /** The passages of a file, by its id, at positions `from` to `to`, inclusive, as far as they exist. */
  async passagesOf(
    fileId: string,
    range: Abortable & { readonly from: number; readonly to: number },
  ): Promise<readonly Passage[]> {
    return this.#engine((engine) => engine.passagesOf(fileId, range), range);
  }

  /** Share of the passages whose embedding is stored, 0 to 1: the others are found by their words only. */
  async coverage(options: Abortable = {}): Promise<number> {
    return this.#engine((engine) => engine.coverage(options), options);
  }

  /** See `SearchEngine.keys`. Throws `INVALID_ARGUMENT`. */
  async keys(path: string | readonly string[] = [], options: Abortable = {}): Promise<readonly string[]> {
    return this.#engine((engine) => engine.keys(path, options), options);
  }

  /** The folders that keys begin with, in order: `guides` of `guides/keys.md`. */
  async folders(options: Abortable = {}): Promise<readonly string[]> {
    const keys = await this.keys([], options);
    return [...new Set(keys.flatMap((key) => key.match(/^[^/]+(?=\/)/) ?? []))].sort();
  }

  /** See `SearchEngine.addFolder`. */
  async addFolder(folder: string, options: AddFolderOptions & Abortable = {}): Promise<KnownFolder> {
    return this.#engine((engine) => engine.addFolder(folder, options), options);
  }

  /** See `SearchEngine.listFolders`. */
  async listFolders(options: Abortable = {}): Promise<readonly KnownFolder[]> {
    return this.#engine((engine) => engine.listFolders(options), options);
  }

  /** See `SearchEngine.watch`. Ends with the bot or the host, not with a re-embedding. Throws `INVALID_ARGUMENT`. */
  async watch(options: WatchOptions = {}): Promise<Watcher> {
    return this.#watch(options);
  }

  /** What the index holds. */
  async status(options: Abortable = {}): Promise<EngineStatus> {
    return this.#engine((engine) => engine.status(options), options);
  }
}
