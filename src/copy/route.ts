import { FolderMap } from '../indexing/folder/folder-map.js';
import type { Storage } from '../storage/storage.js';

/** From where to where is copied. */
export interface Route {
  readonly from: Storage;
  readonly to: Storage;
}

/** An indexed folder as the target has it: a storage has folders relative to a folder of its own. */
export function rebase(folder: string, { from, to }: Route): string {
  if (from.base === to.base) return folder;
  return new FolderMap([], to.base).folderOf(new FolderMap([], from.base).placeOf(folder));
}
