import { FolderMap } from '../indexing/folder/folder-map.js';
import type { Storage } from '../storage/storage.js';

/** The source and the target of a copy. */
export interface Route {
  readonly from: Storage;
  readonly to: Storage;
}

/** The path of an indexed folder in the target: each storage has paths relative to a folder of its own. */
export function rebase(folder: string, { from, to }: Route): string {
  if (from.base === to.base) return folder;
  return new FolderMap([], to.base).folderOf(new FolderMap([], from.base).pathOfFolder(folder));
}
