import path from 'node:path';
import { isKey } from '../../contract/engine/index-file.js';
import { watchFiles } from '../../indexing/folder/file-watcher.js';
import { prefixOf } from '../../indexing/folder/folder-map.js';
import { IGNORE_FILES, stateAbove } from '../../indexing/folder/ignore-rules.js';
import { statOf } from '../../indexing/folder/stat-of.js';
import type { Changed, FolderOutcome, PlacedFolder } from './known-folder.js';

/** Milliseconds without a further change before a run: programs write a file in several steps. */
const SETTLED = 100;

/** Milliseconds after the first change at which a run starts, however many follow. */
const LATEST = 500;

/** Milliseconds after an update that failed as a whole, or between two where changes are missed. */
const RETRY = 5000;

/** Changed files beyond which a run looks at all files of the folder instead. */
const MANY = 500;

interface FolderWatchOptions {
  /** Brings the files of the folder up to date. Does not throw. */
  readonly update: (changed: Changed) => Promise<FolderOutcome>;
  readonly warn: (message: string) => void;
}

/** Watches one folder: collects what changes, and runs updates one after the other. */
export class FolderWatch {
  readonly #folder: PlacedFolder;
  readonly #options: FolderWatchOptions;
  /** What has changed since the last run began. */
  #changed = new Set<string>();
  #isAll = true;
  #firstChange = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** Identifies the watched folder; undefined while there is none, null before it was looked for. */
  #watched: string | undefined | null = null;
  #unwatch: (() => Promise<void>) | undefined;
  /** The ignore files above the folder, which are looked at instead of watched. */
  #above: string | undefined;
  /** Whether changes are missed, because the system does not watch all files. */
  #isBlind = false;
  #lastRun = 0;
  #isClosed = false;

  constructor(folder: PlacedFolder, options: FolderWatchOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  /** Whether the folder was as given when the watch was made. */
  isOf({ path, name }: PlacedFolder): boolean {
    return this.#folder.path === path && this.#folder.name === name;
  }

  /**
   * Watches the folder if it is there, and anew if another one has taken its place. All files are looked at then, as
   * nothing tells what happened to them before. Call it again from time to time: a folder may be deleted and restored.
   */
  async check(): Promise<void> {
    const found = identityOf(this.#folder.path);
    const above = stateAbove(this.#folder.path);
    if (above !== this.#above) this.#schedule('all');
    this.#above = above;
    if (this.#isBlind && performance.now() - this.#lastRun > RETRY) this.#schedule('all');
    if (this.#isClosed || found === this.#watched) return;
    this.#watched = found;
    await this.#unwatch?.();
    this.#unwatch = undefined;
    // Also if it is gone: the update then says so.
    this.#schedule('all');
    if (found === undefined) return;
    this.#isBlind = false;
    this.#unwatch = await watchFiles(this.#folder.path, {
      onChange: (place) => this.#note(place),
      onFailure: ({ message }) => {
        this.#isBlind = true;
        this.#options.warn(`${message} All of its files are looked at every ${RETRY / 1000} s.`);
      },
    });
    this.#schedule('all');
  }

  /** Ends after a running update. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#unwatch?.();
    await this.#running;
  }

  #note(changed: string): void {
    const relative = path.relative(this.#folder.path, changed).split(path.sep).join('/');
    const key = `${prefixOf(this.#folder.name)}${relative}`;
    if (IGNORE_FILES.includes(path.basename(changed)) || isFolder(changed)) this.#schedule('all');
    else if (isKey(key)) this.#schedule([key]);
  }

  #schedule(changed: Changed): void {
    if (this.#isClosed) return;
    if (this.#changed.size === 0 && !this.#isAll) this.#firstChange = performance.now();
    if (changed === 'all') this.#isAll = true;
    else for (const key of changed) this.#changed.add(key);
    if (this.#running) return;
    clearTimeout(this.#timer);
    const elapsed = performance.now() - this.#firstChange;
    this.#timer = setTimeout(() => this.#run(), Math.max(0, Math.min(SETTLED, LATEST - elapsed)));
  }

  /** Looks at all files again, later. */
  #retry(): void {
    this.#isAll = true;
    if (!this.#isClosed) this.#timer = setTimeout(() => this.#run(), RETRY);
  }

  #run(): void {
    const changed = this.#isAll || this.#changed.size > MANY ? 'all' : [...this.#changed];
    this.#changed = new Set();
    this.#isAll = false;
    this.#lastRun = performance.now();
    this.#running = this.#options.update(changed).then(({ problem }) => {
      this.#running = undefined;
      // A folder that is gone is looked at once it is back.
      if (problem !== undefined && identityOf(this.#folder.path) !== undefined) this.#retry();
      else if (this.#isAll || this.#changed.size > 0) this.#schedule([]);
    });
  }
}

/** Whether a folder was made or moved here: files may have been written to it before it was watched. */
function isFolder(place: string): boolean {
  return statOf(place)?.isDirectory() ?? false;
}

/** Tells a folder from one that takes its place later, which may get its inode. */
function identityOf(place: string): string | undefined {
  const found = statOf(place);
  return found?.isDirectory() ? [found.dev, found.ino, found.birthtimeMs].join(' ') : undefined;
}
