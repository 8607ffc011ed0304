/// <reference lib="esnext.disposable" preserve="true" />
import { Administration } from '../accounts/administration.js';
import type { HighlightOptions } from '../contract/engine/display.js';
import { type IndexFileOptions, validateFile, validateKey, validatePassages } from '../contract/engine/index-file.js';
import type { AddFolderOptions } from '../contract/engine/index-folder.js';
import { validatePassageRange } from '../contract/engine/passage-range.js';
import { validateRemoval } from '../contract/engine/removal.js';
import type { EmbeddedPassagesOptions, SearchOptions, SimilarOptions } from '../contract/engine/search.js';
import type { ListBotsRequest } from '../contract/operations/bots.js';
import type { RequestFor, ResponseFor } from '../contract/operations/index.js';
import type { SearchFilesRequest, SearchFilesResponse } from '../contract/operations/search.js';
import type { Abortable } from '../domain/abortable.js';
import type { EmbeddedPassage, Hit, Passage } from '../domain/passage.js';
import type { FolderChanges } from '../indexing/folder/changes.js';
import { type IndexFileResult, indexFile, indexUpload, type UploadedFile } from '../indexing/index-file.js';
import type { IndexFolderOptions, IndexFolderResult } from '../indexing/index-folder.js';
import type { Indexing } from '../indexing/indexing.js';
import { type GivenPassages, type SetPassagesOptions, setPassages } from '../indexing/set-passages.js';
import { bestSentence, type Highlight } from '../search/display/highlight.js';
import { embeddedPassages } from '../search/embedded-passages.js';
import { matchingKeys } from '../search/matching-keys.js';
import { type SearchParts, searchHits } from '../search/search.js';
import { searchFiles } from '../search/search-files.js';
import { similar } from '../search/similar.js';
import type { FileText, FileVersion, RemoveOptions } from '../storage/passage-store.js';
import type { EngineParts } from './engine-parts.js';
import { type EngineStatus, engineStatus } from './engine-status.js';
import { EngineWork } from './engine-work.js';
import { FolderRuns } from './folders/folder-runs.js';
import type { FolderOutcome, IndexFoldersOptions, KnownFolder } from './folders/known-folder.js';
import type { WatchedFolders, Watcher, WatchOptions } from './folders/watcher.js';

/**
 * Indexes and searches the files of one bot. Close it when done.
 *
 * Several processes may have one database open: all of them can search at any time, and one at a time can write. A
 * write waits up to 10 seconds for another process, then the call throws `BUSY`; repeated, it continues where it
 * stopped. Once a call that changes something has returned, neither a kill of the process nor a power failure loses the
 * change.
 *
 * Calls that add, index or drop folders run one after the other, as they were made; other calls do not wait for them.
 * Every call takes a `signal`, which stops it: it throws `ABORTED`. A call for one file has changed nothing then; one
 * for many files may have changed some of them, and can be repeated.
 *
 * Files that were embedded with the default model of an earlier release are re-embedded while the engine is open.
 * Meanwhile, they are found by their words, and calls that change files wait.
 *
 * After another process has re-embedded the files with another model (`reembed`), every call that reads or writes them
 * throws `MODEL_MISMATCH`: open the engine again. If the database was deleted or moved, calls that write throw
 * `DATABASE_MOVED`; if another file has taken its place, every call does.
 */
export class SearchEngine {
  readonly #parts: EngineParts;
  readonly #administration: Administration;
  readonly #work: EngineWork;
  readonly #folders: FolderRuns;
  /** @internal */
  readonly watched: WatchedFolders;

  /** @internal */
  constructor(parts: EngineParts) {
    const { accounts } = parts.storage;
    this.#parts = parts;
    this.#work = new EngineWork(parts);
    this.#folders = new FolderRuns(parts, this.#work);
    this.watched = this.#folders.watched;
    this.#administration = new Administration({ accounts, remove: ({ id }) => accounts.bots.remove(id) });
  }

  /**
   * Brings the index up to date with a folder: reads new and changed files, removes deleted ones. The bot knows the
   * folder from then on, with its tags and patterns. Keys are relative to it, unless it was added under a name. Throws
   * `FOLDER_MISSING`, `INVALID_ARGUMENT`, `ABORTED`. A file that fails is reported in the result; the others continue.
   */
  async indexFolder(folder: string, options: IndexFolderOptions = {}): Promise<IndexFolderResult> {
    return this.#work.write((signal) => this.#folders.index(folder, { ...options, signal }), options);
  }

  /** `indexFolder` for every folder that the bot knows. Throws `INVALID_ARGUMENT`, `ABORTED`. */
  async indexFolders(options: IndexFoldersOptions = {}): Promise<readonly FolderOutcome[]> {
    return this.#work.write((signal) => this.#folders.indexAll({ ...options, signal }), options);
  }

  /**
   * Adds a folder under a name, or changes what is kept of a known one; `indexFolder` or `indexFolders` then reads it.
   * Several folders may have a README.md: their keys begin with their names. A file belongs to the innermost of the
   * folders around it. Throws `FOLDER_MISSING`, `FOLDER_EXISTS` if another one has the name, `INVALID_ARGUMENT`.
   */
  async addFolder(folder: string, options: AddFolderOptions & Abortable = {}): Promise<KnownFolder> {
    return this.#work.write((signal) => this.#folders.add(folder, options, signal), options);
  }

  /** The folders that the bot knows: those added or indexed, and not dropped. By name, then by folder. */
  async listFolders(options: Abortable = {}): Promise<readonly KnownFolder[]> {
    return this.#work.read(() => this.#folders.list(), options);
  }

  /**
   * Forgets a folder, by its name or path, and removes its files from the index. The folder itself may be gone. Throws
   * `FOLDER_MISSING` if the bot knows no such folder, `INVALID_ARGUMENT`.
   */
  async dropFolder(nameOrPath: string, options: Abortable = {}): Promise<KnownFolder> {
    return this.#work.write((signal) => this.#folders.drop(nameOrPath, signal), options);
  }

  /**
   * Indexes a text under a key, replacing the file of that key. Searches find it once this returns; if it throws,
   * nothing has changed. Throws `INVALID_ARGUMENT`, and what the embedder throws.
   */
  async indexFile(key: string, text: string, options: IndexFileOptions & Abortable = {}): Promise<IndexFileResult> {
    return this.#work.write(async (signal) => {
      const file = validateFile({ key, text }, options);
      return this.#work.changeFiles((indexing) => indexFile(file, indexing), signal);
    }, options);
  }

  /**
   * Indexes an uploaded text. Returns false, and changes nothing, if the file is no longer in the state `expected`.
   * @internal
   */
  async indexUpload(file: UploadedFile, expected: FileVersion): Promise<boolean> {
    return this.#work.write((signal) =>
      this.#work.changeFiles((indexing) => indexUpload(file, { ...indexing, expected }), signal),
    );
  }

  /**
   * Removes a file and everything that only it used; with `only`, if it has that id and state. False if there is none.
   */
  async removeFile(key: string, options: RemoveOptions = {}): Promise<boolean> {
    return this.#work.write(async (signal) => {
      const { key: valid, only } = validateRemoval(key, options);
      return this.#work.changeFiles(({ store }) => store.remove(valid, { only, signal }), signal);
    }, options);
  }

  /** Removes every file. */
  async removeAll(options: Abortable = {}): Promise<void> {
    return this.#work.write(async (signal) => {
      await this.#work.changeFiles(async ({ store }) => {
        for (const { key } of await store.files()) await store.remove(key, { signal });
      }, signal);
      await this.#work.compact();
    }, options);
  }

  /**
   * Replaces the passages of a file with those that a caller cut. Throws `INVALID_ARGUMENT`, also for a passage that
   * the model cannot read whole; nothing has changed then.
   */
  async setPassages(file: Omit<GivenPassages, 'size'>, options: Abortable = {}): Promise<void> {
    return this.#work.write(async (signal) => {
      const given = validatePassages(file);
      await this.#work.changeFiles((indexing) => setPassages(given, indexing), signal);
    }, options);
  }

  /**
   * Replaces the passages of a file. Returns false, and changes nothing, if the file is not in the state `expected`, or
   * is there and must be `isNew`.
   * @internal
   */
  async replacePassages(file: GivenPassages, { signal, ...options }: SetPassagesOptions & Abortable): Promise<boolean> {
    const replace = (indexing: Indexing) => setPassages(file, { ...options, ...indexing });
    return this.#work.write((either) => this.#work.changeFiles(replace, either), { signal });
  }

  /** The passages of a file at positions `from` to `to`, inclusive, as far as they exist. */
  async passagesOf(fileId: string, options: Abortable & { from: number; to: number }): Promise<readonly Passage[]> {
    const read = async () => this.#parts.store.readable.passages(...validatePassageRange(fileId, options));
    return this.#work.read(read, options);
  }

  /** Whether a file with that key is indexed. */
  async hasFile(key: string, options: Abortable = {}): Promise<boolean> {
    const { readable } = this.#parts.store;
    return this.#work.read(async () => (await readable.file(validateKey(key))) !== undefined, options);
  }

  /** The absolute path of a file of a folder; null for a text given to `indexFile`, undefined if there is no file. */
  async pathOfFile(key: string, options: Abortable = {}): Promise<string | null | undefined> {
    return this.#work.read(async () => this.#folders.pathOf(validateKey(key)), options);
  }

  /** A file with its text as it is indexed; undefined if searches find no file of that key. */
  async readFile(key: string, options: Abortable = {}): Promise<FileText | undefined> {
    return this.#work.read(async () => this.#parts.store.readable.text(validateKey(key)), options);
  }

  /** Keys of the files that a search with this `path` is restricted to, ascending. Throws `INVALID_ARGUMENT`. */
  async keys(path: string | readonly string[] = [], options: Abortable = {}): Promise<string[]> {
    return this.#work.read(() => matchingKeys(path, this.#parts.store.readable), options);
  }

  /**
   * Keeps the index up to date with all folders, including those that are added later, until the returned watcher or
   * the engine is closed. A saved file is found within a second. The first update of all files still runs when this
   * returns. Throws `INVALID_ARGUMENT`.
   */
  async watch(options: WatchOptions = {}): Promise<Watcher> {
    return this.#work.write(() => this.#folders.watchers.open(options), options);
  }

  /**
   * How the files of all folders differ from those that are indexed, by their sizes and times. Cheap enough for a call
   * before each search.
   */
  async changes(options: Abortable = {}): Promise<FolderChanges> {
    return this.#work.read(() => this.#folders.changes(), options);
  }

  /** The contract's file search. Throws `INVALID_ARGUMENT`, `RESPONSE_TOO_LARGE`. */
  async searchFiles(request: SearchFilesRequest, options: Abortable = {}): Promise<SearchFilesResponse> {
    const { embedder } = this.#parts;
    return this.#work.read((signal) => searchFiles(request, { ...this.#searching(), embedder, signal }), options);
  }

  /** The passages that answer a query best, best first. Throws `INVALID_ARGUMENT`, `RESPONSE_TOO_LARGE`. */
  async search(query: string, options: SearchOptions = {}): Promise<Hit[]> {
    return this.#work.read((signal) => searchHits(query, { ...this.#searching(), options, signal }), options);
  }

  /**
   * The passages nearest in meaning to one, by its id, nearest first. The score is the cosine of the embeddings; those
   * with a negative one are left out, copies of the passage are not. Undefined if there is no such passage, empty while
   * it has no embedding. Throws `INVALID_ARGUMENT`, `RESPONSE_TOO_LARGE`.
   */
  async similar(passageId: string, options: SimilarOptions = {}): Promise<Hit[] | undefined> {
    const store = this.#parts.store.readable;
    return this.#work.read((signal) => similar(passageId, { store, options, signal }), options);
  }

  /** The passages that are embedded, with their embeddings, by key, then position. Throws `INVALID_ARGUMENT`. */
  async embeddedPassages(options: EmbeddedPassagesOptions = {}): Promise<readonly EmbeddedPassage[]> {
    return this.#work.read(() => embeddedPassages(options, this.#parts.store.readable), options);
  }

  /** Share of the passages whose embedding is stored, 0 to 1. The others are found by their words only. */
  async coverage(options: Abortable = {}): Promise<number> {
    return this.#work.read(() => this.#parts.store.readable.coverage(), options);
  }

  /** The sentence nearest to a query, as a reader sees it; undefined if there is none. Throws `INVALID_ARGUMENT`. */
  async highlight(query: string, text: string, options: HighlightOptions = {}): Promise<Highlight | undefined> {
    const { embedder } = this.#parts;
    return this.#work.read((signal) => bestSentence({ query, text }, { options, embedder, signal }), options);
  }

  /** What the index holds. */
  async status(options: Abortable = {}): Promise<EngineStatus> {
    return this.#work.read(() => engineStatus(this.#parts), options);
  }

  /** The bots of the database. Throws `INVALID_ARGUMENT`. */
  async listBots(request: ListBotsRequest = {}, options: Abortable = {}): Promise<ResponseFor<'listBots'>> {
    return this.#work.read(() => this.#administration.listBots(request), options);
  }

  /** A bot by id or name. Defaults to the engine's own. Throws `BOT_MISSING`. */
  async getBot(
    request: RequestFor<'getBot'> = { id: this.#parts.bot.id },
    options: Abortable = {},
  ): Promise<ResponseFor<'getBot'>> {
    return this.#work.read(() => this.#administration.getBot(request), options);
  }

  /** Throws `BOT_EXISTS`, `INVALID_ARGUMENT`. */
  async createBot(request: RequestFor<'createBot'> = {}, options: Abortable = {}): Promise<ResponseFor<'createBot'>> {
    return this.#work.write(async () => {
      const created = await this.#administration.createBot(request);
      await this.#parts.storage.sync();
      return created;
    }, options);
  }

  /**
   * Throws `ENGINE_CLOSED`, and `DATABASE_MOVED` if another file has replaced the database.
   * @internal
   */
  assertUsable(): void {
    this.#work.assertUsable();
  }

  /** Ends all processes and closes the database. Running calls end with `ENGINE_CLOSED`. May be called twice. */
  async close(): Promise<void> {
    const watchersEnded = this.#folders.close();
    await this.#work.close();
    await watchersEnded;
  }

  /** `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #searching(): SearchParts {
    const { store, embedder, scale, onStage } = this.#parts;
    return { store: store.readable, embedder, scale, onStage };
  }
}
