import type { StoredFile } from '../storage/passage-store.js';
import type { Failure, FoundFile } from './walk.js';

/** What has to be looked at, and what is gone. */
export interface Diff {
  /** Same size and time as when they were read. */
  readonly unchanged: readonly StoredFile[];
  /** To be read; `stored` where there is one of that key. */
  readonly toRead: readonly { readonly found: FoundFile; readonly stored: StoredFile | undefined }[];
  /** In the index, from this folder, and no longer in it. */
  readonly vanished: readonly StoredFile[];
  /** Files whose key belongs to something else. */
  readonly failed: readonly Failure[];
}

/**
 * A file that was written within this many milliseconds before it was read may have been written again without a new
 * time: clocks of file systems tick that coarsely.
 */
const CLOCK_TICK = 2000;

/**
 * Compares the files found in a folder with those stored. `claims` tells whether another folder still holds the file
 * that is stored under a key: then the key is not this folder's to change.
 */
export function diff(
  found: readonly FoundFile[],
  {
    stored,
    folder,
    pipeline,
    failed,
    claims,
  }: {
    stored: readonly StoredFile[];
    folder: string;
    pipeline: string;
    failed: readonly Failure[];
    claims: (file: StoredFile) => boolean;
  },
): Diff {
  const byKey = new Map(stored.map((file) => [file.key, file]));
  const unchanged: StoredFile[] = [];
  const toRead: { found: FoundFile; stored: StoredFile | undefined }[] = [];
  const taken: Failure[] = [];
  for (const file of found) {
    const known = byKey.get(file.key);
    byKey.delete(file.key);
    if (known && known.folder !== folder && (known.folder === null || claims(known))) {
      const owner = known.folder === null ? 'a text that was given to the index' : `a file of ${known.folder}`;
      taken.push({
        key: file.key,
        reason: `its key is taken by ${owner}: remove that one first, or index into another bot`,
      });
    } else if (known && isSame(file, known, { folder, pipeline })) {
      unchanged.push(known);
    } else {
      toRead.push({ found: file, stored: known });
    }
  }
  const unreadable = (key: string) =>
    failed.some((failure) => key === failure.key || (failure.key.endsWith('/') && key.startsWith(failure.key)));
  const vanished = [...byKey.values()].filter((file) => file.folder === folder && !unreadable(file.key));
  return { unchanged, toRead, vanished, failed: taken };
}

function isSame(
  found: FoundFile,
  stored: StoredFile,
  { folder, pipeline }: { folder: string; pipeline: string },
): boolean {
  return (
    stored.folder === folder &&
    stored.pipeline === pipeline &&
    stored.size === found.size &&
    stored.mtime === found.mtime &&
    stored.indexedAt - found.mtime > CLOCK_TICK
  );
}
