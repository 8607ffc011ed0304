import { accessSync, constants, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { hasCode } from '../../domain/errors.js';
import { formats } from '../../formats/formats.js';
import type { FolderRecord } from '../../storage/folders.js';
import type { SeenFile } from '../../storage/passage-store.js';
import type { Parser } from '../indexing.js';
import { readText } from '../read-file.js';
import { type FolderMap, prefixOf } from './folder-map.js';
import { lookAt, statOf } from './stat-of.js';
import { walk } from './walk.js';

/** How the files of folders differ from those that are indexed: their keys, but for `gone`. */
export interface FolderChanges {
  /** On disk, and not in the index. */
  readonly added: readonly string[];
  /** With another text than when they were read; of very many files, those with other times. */
  readonly changed: readonly string[];
  /** In the index, and not on disk. */
  readonly removed: readonly string[];
  /** In the index, and on disk with other times, or where it may not be looked for; it may not be read. */
  readonly unreadable: readonly string[];
  /** The absolute paths of folders that are not on disk; their files are in none of the lists. */
  readonly gone: readonly string[];
}

/** Files between two pauses, which let other work of the process go on. */
const PORTION = 500;

/** Files of the same size with other times whose texts are compared, as after a clone; more count as changed. */
const COMPARED = 100;

/** Milliseconds by which the clocks of the system and of the file system may differ. */
const GRAIN = 20;

/** Compares the stored files of folders with those on disk. Only folders that changed are read for new files. */
export async function changesOf(
  folders: readonly (FolderRecord & { readonly path: string })[],
  {
    map,
    files,
    hashOf,
    parser,
  }: {
    readonly map: FolderMap;
    readonly files: readonly SeenFile[];
    /** The hash of a stored file. */
    readonly hashOf: (key: string) => Promise<string | undefined>;
    readonly parser: Pick<Parser, 'extract'>;
  },
): Promise<FolderChanges> {
  const added: string[] = [];
  const changed: string[] = [];
  const removed: string[] = [];
  const unreadable: string[] = [];
  let compared = 0;
  let directory = '';
  const present = folders.filter(({ path }) => isThere(path));
  const gone = folders.filter((folder) => !present.includes(folder)).map(({ path }) => path);
  /** The folders of all files, by the known folder that they are in. */
  const places = new Map(present.map(({ folder, path }) => [folder, new Set([path])]));
  for (const [i, file] of files.entries()) {
    if (i % PORTION === PORTION - 1) await setImmediate();
    const known = places.get(map.ownerOf(file) ?? '');
    const place = map.pathOf(file);
    if (!known || place === undefined) continue;
    // Most files are in the directory of the one before, whose path need not be sliced again.
    const end = place.lastIndexOf('/');
    if (end !== directory.length || !place.startsWith(directory)) {
      directory = place.slice(0, end);
      // With those above, which may hold no indexed file of their own.
      for (let above = directory; !known.has(above); above = dirname(above)) known.add(above);
    }
    const found = lookAt(place);
    if (found === 'unreadable') unreadable.push(file.key);
    else if (!found?.isFile()) removed.push(file.key);
    else if (isSeen(found, file)) continue;
    else if (!isReadable(place)) unreadable.push(file.key);
    else if (found.size !== file.size || compared++ >= COMPARED) changed.push(file.key);
    else if ((await hashAt(place, { key: file.key, parser })) !== (await hashOf(file.key))) changed.push(file.key);
  }
  let keys: ReadonlySet<string> | undefined;
  for (const { folder, path, name, ignore, seenAt } of present) {
    // A time to come is that of a clock that was wrong.
    const since = seenAt !== null && seenAt <= Date.now() ? seenAt : 0;
    const isNewer = (place: string) => (statOf(place)?.mtimeMs ?? 0) > since - GRAIN;
    if (![...(places.get(folder) ?? [])].some(isNewer)) continue;
    const found = await walk(path, { patterns: ignore, prefix: prefixOf(name), without: map.innerPaths(folder) }).catch(
      (error) => {
        // Its files are unreadable, or it went just now.
        if (hasCode(error, 'FOLDER_MISSING')) return { files: [] };
        throw error;
      },
    );
    keys ??= new Set(files.map(({ key }) => key));
    for (const { key } of found.files) if (!keys.has(key)) added.push(key);
  }
  return { added, changed, removed, unreadable, gone };
}

/** Whether a folder is there, or may be. */
function isThere(folder: string): boolean {
  const found = lookAt(folder);
  return found === 'unreadable' || found?.isDirectory() === true;
}

function isReadable(place: string): boolean {
  try {
    accessSync(place, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a file is as it was when it was read. */
function isSeen({ size, mtimeMs, ctimeMs }: Stats, { size: before, mtime, ctime }: SeenFile): boolean {
  return size === before && mtimeMs === mtime && (ctime === null || ctimeMs === ctime);
}

/** The hash of the text of a file; undefined if it cannot be read. */
async function hashAt(
  place: string,
  { key, parser }: { readonly key: string; readonly parser: Pick<Parser, 'extract'> },
): Promise<string | undefined> {
  try {
    return (await readText(place, { format: formats.ofText({ key }), parser })).hash;
  } catch {
    return undefined;
  }
}
