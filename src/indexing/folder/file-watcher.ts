import path from 'node:path';
import { watch } from 'chokidar';
import { WaymarkError } from '../../domain/errors.js';
import { formats } from '../../formats/formats.js';
import { IGNORE_FILES } from './ignore-rules.js';
import { statOf } from './stat-of.js';

/** Receives the changes of the files below a folder. */
export interface FileListener {
  /** Called when something was written, renamed or removed at this absolute path. */
  onChange(place: string): void;
  /** Called once at most, when all files that can be watched are being watched. Earlier changes were not reported. */
  onReady(): void;
  /** Called once at most, if not all files can be watched. */
  onFailure(error: WaymarkError): void;
}

/** The files below a folder, while they are watched. */
export interface WatchedFiles {
  /**
   * Whether watching must start over: a folder has been replaced by another one of its name, or moved away and back, so
   * that changes in it are no longer noticed; or the first scan has made no progress for ten calls, as happens if a
   * file replaces a folder during it. Call it at intervals.
   */
  areStale(): boolean;
  close(): Promise<void>;
}

/** Calls without anything new after which the start of a watch is given up. */
const IDLE_CALLS = 10;

/** Watches the files below a folder. */
export function watchFiles(root: string, { onChange, onReady, onFailure }: FileListener): WatchedFiles {
  /** Names that chokidar has asked about, and that it had asked about when `areStale` was called last. */
  let [asked, before] = [0, 0];
  let idleCalls = 0;
  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored(place, stats) {
      asked += 1;
      return place !== root && isIgnored(path.basename(place), stats?.isFile() ?? false);
    },
  });
  // What was moved or deleted, until chokidar has noticed: it keeps watching a folder that another one has replaced.
  const moved = new Set<string>();
  watcher.on('all', (event, place) => {
    const absolute = path.resolve(place);
    // Nothing watches whether the root itself comes back.
    if (absolute !== root && ['unlink', 'unlinkDir', 'addDir'].includes(event)) moved.delete(absolute);
    onChange(absolute);
  });
  // chokidar reports neither a file with the size and times of the one it replaces, nor one in the place of a link, nor
  // a deletion soon after the file was created or last deleted.
  watcher.on('raw', (event, name, details) => {
    const { watchedPath } = details as { readonly watchedPath?: string };
    // Where chokidar polls, it compares the files itself.
    if (watchedPath === undefined) return;
    if (event === 'rename' && name === path.basename(watchedPath)) moved.add(watchedPath);
    for (const place of placesOf(watchedPath, name)) {
      // What is missing may be a deleted file.
      if (!isIgnored(path.basename(place), true) && (statOf(place)?.isFile() ?? true)) onChange(place);
    }
  });
  let isReady = false;
  const beReady = () => {
    if (!isReady) onReady();
    isReady = true;
  };
  watcher.once('ready', beReady);
  watcher.once('error', (cause) => {
    onFailure(unwatchable(root, cause));
    beReady();
  });
  // Only the first failure is reported: the others are alike.
  watcher.on('error', () => {});
  return {
    areStale() {
      idleCalls = isReady || asked > before ? 0 : idleCalls + 1;
      before = asked;
      if (idleCalls === IDLE_CALLS) return true;
      for (const place of moved) {
        const found = statOf(place);
        if (found?.isDirectory()) return true;
        // chokidar notices by itself when a file is replaced.
        if (found) moved.delete(place);
      }
      return false;
    },
    close() {
      const closed = watcher.close();
      // Closing has removed all listeners, but work in progress may still emit an error, which without a listener would
      // end the process.
      watcher.on('error', () => {});
      return closed;
    },
  };
}

/** What an event of the system may be about: an entry of a watched folder, or a watched file or folder itself. */
function placesOf(watched: string, name: string | null): string[] {
  if (name === null) return [watched];
  const entry = path.join(watched, name);
  if (name !== path.basename(watched)) return [entry];
  return statOf(watched)?.isDirectory() ? [watched, entry] : [watched];
}

function isIgnored(name: string, isFile: boolean): boolean {
  if (IGNORE_FILES.includes(name)) return false;
  return name.startsWith('.') || name === 'node_modules' || (isFile && formats.ofKey(name) === undefined);
}

function unwatchable(root: string, cause: unknown): WaymarkError {
  const { code, message } = Object(cause) as { code?: string; message?: string };
  const isLimit = code === 'ENOSPC' || code === 'EMFILE';
  const reason = isLimit ? 'the system has no watches left; on Linux, raise fs.inotify.max_user_watches' : message;
  return new WaymarkError('FOLDER_UNWATCHABLE', `Not every change in ${root} is noticed: ${reason}.`, { cause });
}
