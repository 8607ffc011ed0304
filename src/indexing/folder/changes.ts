import { type Stats, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { FolderRecord } from '../../storage/folders.js';
import type { SeenFile } from '../../storage/passage-store.js';
import { type FolderMap, prefixOf } from './folder-map.js';
import { walk } from './walk.js';

/** How the files of folders differ from those that are indexed: their keys. */
export interface FolderChanges {
  /** On disk, and not in the index. */
  readonly added: readonly string[];
  /** Of another size or with other times than when they were read. */
  readonly changed: readonly string[];
  /** In the index, and not on disk. */
  readonly removed: readonly string[];
}

/** Files between two pauses, which let other work of the process go on. */
const PORTION = 500;

/** Milliseconds by which the clocks of the system and of the file system may differ. */
const GRAIN = 20;

/** Compares the stored files of folders with those on disk. Only folders that changed are read for new files. */
export async function changesOf(
  folders: readonly (FolderRecord & { readonly path: string })[],
  { map, files }: { readonly map: FolderMap; readonly files: readonly SeenFile[] },
): Promise<FolderChanges> {
  const added: string[] = [];
  const changed: string[] = [];
  const removed: string[] = [];
  const present = folders.filter(({ path }) => statOf(path)?.isDirectory());
  /** The folders of all files, by the known folder that they are in. */
  const places = new Map(present.map(({ folder, path }) => [folder, new Set([path])]));
  for (const [i, file] of files.entries()) {
    if (i % PORTION === PORTION - 1) await setImmediate();
    const known = places.get(map.ownerOf(file) ?? '');
    const place = map.pathOf(file);
    if (!known || place === undefined) continue;
    known.add(place.slice(0, place.lastIndexOf('/')));
    const found = statOf(place);
    if (!found?.isFile()) removed.push(file.key);
    else if (isChanged(found, file)) changed.push(file.key);
  }
  const keys = new Set(files.map(({ key }) => key));
  for (const { folder, path, name, ignore, seenAt } of present) {
    const isNewer = (place: string) => (statOf(place)?.mtimeMs ?? 0) > (seenAt ?? 0) - GRAIN;
    if (![...(places.get(folder) ?? [])].some(isNewer)) continue;
    const found = await walk(path, { patterns: ignore, prefix: prefixOf(name), without: map.innerPlaces(folder) });
    added.push(...found.files.map(({ key }) => key).filter((key) => !keys.has(key)));
  }
  return { added, changed, removed };
}

function isChanged({ size, mtimeMs, ctimeMs }: Stats, { size: before, mtime, ctime }: SeenFile): boolean {
  return size !== before || mtimeMs !== mtime || (ctime !== null && ctimeMs !== ctime);
}

/** Undefined for what is gone or may not be seen. */
function statOf(place: string): Stats | undefined {
  try {
    return statSync(place, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
