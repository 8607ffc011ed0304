import type { AddFolderOptions } from '../contract/index-folder.js';
import type { HighlightOptions } from '../contract/search.js';
import type { Passage } from '../domain/passage.js';
import type { EngineStatus } from '../engine/engine-status.js';
import type { KnownFolder } from '../engine/folders/known-folder.js';
import type { Watcher, WatchOptions } from '../engine/folders/watcher.js';
import type { Highlight } from '../search/highlight.js';
import type { WithEngine } from './bot-engines.js';

/** What the index of a bot holds, besides the answers of its file operations. */
export class BotIndex {
  readonly #engine: WithEngine;

  /** @internal */
  constructor(engine: WithEngine) {
    this.#engine = engine;
  }

  /** See `SearchEngine.highlight`. Throws `INVALID_ARGUMENT`. */
  async highlight(query: string, text: string, options: HighlightOptions = {}): Promise<Highlight | undefined> {
    return this.#engine((engine) => engine.highlight(query, text, options));
  }

  /** The passages of a file, by its id, at positions `from` to `to`, inclusive, as far as they exist. */
  async passagesOf(fileId: string, range: { readonly from: number; readonly to: number }): Promise<readonly Passage[]> {
    return this.#engine((engine) => engine.passagesOf(fileId, range));
  }

  /** Share of the passages whose embedding is stored, 0 to 1: the others are found by their words only. */
  async coverage(): Promise<number> {
    return this.#engine((engine) => engine.coverage());
  }

  /** The folders that keys begin with, in order: `guides` of `guides/keys.md`. */
  async folders(): Promise<readonly string[]> {
    const keys = await this.#engine((engine) => engine.keys());
    return [...new Set(keys.flatMap((key) => key.match(/^[^/]+(?=\/)/) ?? []))].sort();
  }

  /** See `SearchEngine.addFolder`. */
  async addFolder(folder: string, options: AddFolderOptions = {}): Promise<KnownFolder> {
    return this.#engine((engine) => engine.addFolder(folder, options));
  }

  /** See `SearchEngine.listFolders`. */
  async listFolders(): Promise<readonly KnownFolder[]> {
    return this.#engine((engine) => engine.listFolders());
  }

  /** See `SearchEngine.watch`. Ends with the host. Throws `INVALID_ARGUMENT`. */
  async watch(options: WatchOptions = {}): Promise<Watcher> {
    return this.#engine((engine) => engine.watch(options));
  }

  /** What the index holds. */
  async status(): Promise<EngineStatus> {
    return this.#engine((engine) => engine.status());
  }
}
