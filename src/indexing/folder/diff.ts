import type { StoredFile } from '../../storage/passage-store.js';
import type { Failure, FoundFile, Walk } from './walk.js';

/** How the files of a folder differ from those stored. */
export interface Diff {
  /** Same size and modification time as when they were read. */
  readonly unchanged: readonly StoredFile[];
  /** To be read; `stored` is the file stored under the same key. */
  readonly toRead: readonly { readonly found: FoundFile; readonly stored: StoredFile | undefined }[];
  /** Stored, from this folder, and no longer in it. */
  readonly vanished: readonly StoredFile[];
  /** Files whose key belongs to another folder or to a text given to `indexFile`. */
  readonly failed: readonly Failure[];
}

/**
 * Milliseconds: file system clocks may tick this coarsely. A file modified less than this before it was read may have
 * been modified again without a new modification time.
 */
const CLOCK_TICK = 2000;

/**
 * Compares the files found in a folder with those stored. `ownerExists` says whether the stored file of another folder
 * still exists there; if so, its key may not be taken.
 */
export function diff(
  { files, failed }: Walk,
  {
    stored,
    folder,
    pipeline,
    ownerExists,
  }: {
    stored: readonly StoredFile[];
    folder: string;
    pipeline: string;
    ownerExists: (file: StoredFile) => boolean;
  },
): Diff {
  const byKey = new Map(stored.map((file) => [file.key, file]));
  const unchanged: StoredFile[] = [];
  const toRead: { found: FoundFile; stored: StoredFile | undefined }[] = [];
  const taken: Failure[] = [];
  for (const file of files) {
    const known = byKey.get(file.key);
    byKey.delete(file.key);
    if (known && known.folder !== folder && (known.folder === null || ownerExists(known))) {
      const owner = known.folder === null ? 'a text given to indexFile' : `a file of ${known.folder}`;
      taken.push({
        key: file.key,
        reason: `its key belongs to ${owner}: remove that file first, or index this folder into another bot`,
      });
    } else if (known && isSame(file, known, { folder, pipeline })) {
      unchanged.push(known);
    } else {
      toRead.push({ found: file, stored: known });
    }
  }
  // A file that cannot be seen because its folder is unreadable has not vanished.
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
