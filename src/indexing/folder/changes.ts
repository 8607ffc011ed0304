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
import { statOf, statOrUnreadable } from './stat-of.js';
import { walk } from './walk.js';

/** How the files of folders differ from those that are indexed. Lists of keys, except `gone`. */
export interface FolderChanges {
  /** On disk, and not in the index. */
  readonly added: readonly string[];
  /** With another text than when they were read. Of very many files, those with other times: texts are not compared. */
  readonly changed: readonly string[];
  /** In the index, and not on disk. */
  readonly removed: readonly string[];
  /** In the index, and on disk either with other times but not readable, or in a folder that may not be searched. */
  readonly unreadable: readonly string[];
  /** The absolute paths of folders that are not on disk; their files are in none of the lists. */
  readonly gone: readonly string[];
}

/** Files compared in one turn of the event loop. */
const PORTION = 500;

/** Maximum number of files of the same size with other times whose texts are compared, as after a clone. */
const MAX_COMPARED_TEXTS = 100;

/** Milliseconds by which the clocks of the system and of the file system may differ. */
const CLOCK_SKEW = 20;

/** The same for a file system that only has full seconds: some tick every other second. */
const COARSE_CLOCK_SKEW = 2000;

/** A known folder, and where it is. */
type Placed = FolderRecord & { readonly path: string };

interface Comparison {
  readonly map: FolderMap;
  readonly files: readonly SeenFile[];
  /** The hash of a stored file. */
  readonly hashOf: (key: string) => Promise<string | undefined>;
  readonly parser: Pick<Parser, 'extract'>;
}

/** By known folder: the absolute paths of the folder, and of all directories of its files below it. */
type Directories = ReadonlyMap<string, Set<string>>;

/** Compares the stored files of folders with those on disk. Only folders that changed are read for new files. */
export async function changesOf(folders: readonly Placed[], comparison: Comparison): Promise<FolderChanges> {
  const present = folders.filter(({ path }) => mayBeFolder(path));
  const gone = folders.filter((folder) => !present.includes(folder)).map(({ path }) => path);
  const directories = new Map(present.map(({ folder, path }) => [folder, new Set([path])]));
  const compared = await compareFiles(comparison, directories);
  const changedFolders = present.filter((folder) => hasNewEntries(folder, directories.get(folder.folder) ?? []));
  return { added: await addedIn(changedFolders, comparison), ...compared, gone };
}

/** Compares stored files with those on disk, and adds their directories. Skips files of folders that are gone. */
async function compareFiles(
  { map, files, hashOf, parser }: Comparison,
  directories: Directories,
): Promise<Pick<FolderChanges, 'changed' | 'removed' | 'unreadable'>> {
  const changed: string[] = [];
  const removed: string[] = [];
  const unreadable: string[] = [];
  let comparedTexts = 0;
  let directory = '';
  for (const [i, file] of files.entries()) {
    if (i % PORTION === PORTION - 1) await setImmediate();
    const known = directories.get(map.ownerOf(file) ?? '');
    const place = map.pathOf(file);
    if (!known || place === undefined) continue;
    // Most files are in the directory of the previous one, whose path need not be sliced again.
    const end = place.lastIndexOf('/');
    if (end !== directory.length || !place.startsWith(directory)) {
      directory = place.slice(0, end);
      // With the directories above, which may contain no indexed file of their own.
      for (let above = directory; !known.has(above); above = dirname(above)) known.add(above);
    }
    const found = statOrUnreadable(place);
    if (found === 'unreadable') unreadable.push(file.key);
    else if (!found?.isFile()) removed.push(file.key);
    else if (isSeen(found, file)) continue;
    else if (!isReadable(place)) unreadable.push(file.key);
    else if (found.size !== file.size || comparedTexts++ >= MAX_COMPARED_TEXTS) changed.push(file.key);
    else if ((await hashAt(place, { key: file.key, parser })) !== (await hashOf(file.key))) changed.push(file.key);
  }
  return { changed, removed, unreadable };
}

/** Whether files may have been added to a directory of a folder since all of its files were last compared. */
function hasNewEntries({ seenAt }: Placed, directories: Iterable<string>): boolean {
  // A time in the future comes from a clock that was wrong.
  const since = seenAt !== null && seenAt <= Date.now() ? seenAt : 0;
  return [...directories].some((place) => {
    const changedAt = statOf(place)?.mtimeMs ?? 0;
    return changedAt > since - (changedAt % 1000 === 0 ? COARSE_CLOCK_SKEW : CLOCK_SKEW);
  });
}

/** Keys of the files of folders that are not stored. */
async function addedIn(folders: readonly Placed[], { map, files }: Comparison): Promise<string[]> {
  if (folders.length === 0) return [];
  const keys = new Set(files.map(({ key }) => key));
  const added: string[] = [];
  for (const { folder, path, name, ignore } of folders) {
    const options = { patterns: ignore, prefix: prefixOf(name), without: map.innerPaths(folder) };
    const found = await walk(path, options).catch((error) => {
      // Its files are unreadable, or it was removed just now.
      if (hasCode(error, 'FOLDER_MISSING')) return { files: [] };
      throw error;
    });
    for (const { key } of found.files) if (!keys.has(key)) added.push(key);
  }
  return added;
}

/** Whether there is a folder at a path, or the system does not say. */
function mayBeFolder(place: string): boolean {
  const found = statOrUnreadable(place);
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
