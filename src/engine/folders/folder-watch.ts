import path from 'node:path';
import { isKey } from '../../contract/engine/index-file.js';
import { type WatchedFiles, watchFiles } from '../../indexing/folder/file-watcher.js';
import { prefixOf } from '../../indexing/folder/folder-map.js';
import { IGNORE_FILES, stateAbove } from '../../indexing/folder/ignore-rules.js';
import { statOf } from '../../indexing/folder/stat-of.js';
import type { Changed, FolderOutcome, PlacedFolder } from './known-folder.js';

/** Milliseconds without a further change before a run starts: programs write a file in several steps. */
const DEBOUNCE = 100;

/** Maximum milliseconds from the first change to the start of a run, however many changes follow. */
const MAX_DELAY = 500;

/** Milliseconds before a failed update is repeated, and between updates of all files while changes are missed. */
const RETRY_INTERVAL = 5000;

/** Changed files above which a run compares all files of the folder instead. */
const MAX_CHANGED_FILES = 500;

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
  /** Identifies the watched folder; undefined while there is none, null before the first check. */
  #watched: string | undefined | null = null;
  #files: WatchedFiles | undefined;
  /** The state of the ignore files above the folder, which are checked, not watched. */
  #above: string | undefined;
  /** Whether changes are missed, because the system does not watch all files. */
  #missesChanges = false;
  /** When the last run over all files began. */
  #lastFullRun = 0;
  #isClosed = false;

  constructor(folder: PlacedFolder, options: FolderWatchOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  /** Whether this watches a folder of the same path and name. */
  watches({ path, name }: PlacedFolder): boolean {
    return this.#folder.path === path && this.#folder.name === name;
  }

  /**
   * Starts to watch the folder if it exists and is not watched, or if another one has taken its place or that of a
   * folder in it. All files are then compared: they may have changed before. Call it at intervals: a folder may be
   * deleted and restored.
   */
  async check(): Promise<void> {
    const found = identityOf(this.#folder.path);
    const above = stateAbove(this.#folder.path);
    if (above !== this.#above) this.#schedule('all');
    this.#above = above;
    if (this.#missesChanges && performance.now() - this.#lastFullRun > RETRY_INTERVAL) this.#schedule('all');
    if (this.#isClosed || (found === this.#watched && !this.#files?.areStale())) return;
    this.#watched = found;
    await this.#files?.close();
    this.#files = undefined;
    // Also runs if the folder is gone, because the update reports that.
    this.#schedule('all');
    if (found === undefined) return;
    this.#missesChanges = false;
    this.#files = watchFiles(this.#folder.path, {
      onChange: (place) => this.#noteChange(place),
      onReady: () => this.#schedule('all'),
      onFailure: ({ message }) => {
        this.#missesChanges = true;
        this.#options.warn(`${message} All of its files are checked every ${RETRY_INTERVAL / 1000} s.`);
      },
    });
  }

  /** Ends after a running update. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#files?.close();
    await this.#running;
  }

  #noteChange(changed: string): void {
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
    this.#timer = setTimeout(() => this.#run(), Math.max(0, Math.min(DEBOUNCE, MAX_DELAY - elapsed)));
  }

  /** Schedules another update of all files. */
  #retry(): void {
    this.#isAll = true;
    if (!this.#isClosed) this.#timer = setTimeout(() => this.#run(), RETRY_INTERVAL);
  }

  #run(): void {
    const changed = this.#isAll || this.#changed.size > MAX_CHANGED_FILES ? 'all' : [...this.#changed];
    this.#changed = new Set();
    this.#isAll = false;
    if (changed === 'all') this.#lastFullRun = performance.now();
    this.#running = this.#options.update(changed).then(({ problem }) => {
      this.#running = undefined;
      // Not for a folder that is gone: it is updated once it is back.
      if (problem !== undefined && identityOf(this.#folder.path) !== undefined) this.#retry();
      else if (this.#isAll || this.#changed.size > 0) this.#schedule([]);
    });
  }
}

/** Whether a folder was created or moved here: files may have been written to it before it was watched. */
function isFolder(place: string): boolean {
  return statOf(place)?.isDirectory() ?? false;
}

/** Identifies a folder. The inode alone is not enough: a folder that replaces a deleted one may reuse it. */
function identityOf(place: string): string | undefined {
  const found = statOf(place);
  return found?.isDirectory() ? [found.dev, found.ino, found.birthtimeMs].join(' ') : undefined;
}
