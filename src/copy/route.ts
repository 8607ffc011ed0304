import path from 'node:path';
import type { Storage } from '../storage/storage.js';

/** From where to where is copied. */
export interface Route {
  readonly from: Storage;
  readonly to: Storage;
}

/** An indexed folder as the target has it: a storage has folders relative to a folder of its own. */
export function rebase(folder: string, { from, to }: Route): string {
  if (from.base === to.base) return folder;
  return path.relative(to.base, path.resolve(from.base, folder)).split(path.sep).join('/') || '.';
}
