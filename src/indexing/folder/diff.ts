import type { StoredFile } from '../../storage/passage-store.js';
import { foldersAbove } from './folders-above.js';
import { isUnchanged } from './is-unchanged.js';
import type { Failure, FoundFile, Walk } from './walk.js';

/** How the files of a folder differ from those stored. */
export interface Diff {
  /** Number of files that need no reading. */
  readonly unchanged: number;
  /** Unchanged files whose times and inode are not stored yet. */
  readonly unrecorded: readonly Compared[];
  /** Files to be read. */
  readonly toRead: readonly Compared[];
  /** Stored files of this folder that are no longer in it. */
  readonly vanished: readonly StoredFile[];
  /** Files whose key belongs to another folder or to a text given to `indexFile`. */
  readonly failed: readonly Failure[];
}

/** A file of the folder, and the file stored under the same key. */
export interface Compared {
  readonly found: FoundFile;
  readonly stored: StoredFile | undefined;
}

/** Decides which folder a stored file belongs to. */
export interface Ownership {
  /** The indexed folder, relative to the database's. */
  readonly folder: string;
  /** The folder that a stored file belongs to; null for a text given to `indexFile`. */
  readonly ownerOf: (file: StoredFile) => string | null;
  /** The absolute path of a stored file, if it is still on disk: then no other folder may take its key. */
  readonly existingPathOf: (file: StoredFile) => string | undefined;
}

/** Compares the files found in a folder with those stored. With `verify`, all of them are to be read. */
export function diff(
  { files, failed }: Walk,
  {
    stored,
    pipelineFor,
    verify,
    ...ownership
  }: Ownership & {
    readonly stored: readonly StoredFile[];
    readonly pipelineFor: (key: string) => string;
    readonly verify: boolean;
  },
): Diff {
  const { folder, ownerOf, existingPathOf } = ownership;
  const byKey = new Map(stored.map((file) => [file.key, file]));
  const toRead: Compared[] = [];
  const unrecorded: Compared[] = [];
  /** Found files whose key belongs to another file, by their paths. */
  const taken = new Map<string, Failure>();
  let unchanged = 0;
  for (const file of files) {
    const known = byKey.get(file.key);
    byKey.delete(file.key);
    const compared = { found: file, stored: known };
    const reason = known && otherOwner(known, ownership);
    if (reason) {
      taken.set(file.path, { key: file.key, reason });
    } else if (
      verify ||
      !known ||
      known.folder !== folder ||
      known.pipeline !== pipelineFor(file.key) ||
      !isUnchanged(file, known)
    ) {
      toRead.push(compared);
    } else {
      unchanged += 1;
      if (known.ctime === null) unrecorded.push(compared);
    }
  }
  const isUnreadable = unreadableBy(failed);
  // A file that was indexed with the folder around this one keeps its former key if its new key is taken.
  const keepsKey = (file: StoredFile) => taken.size > 0 && taken.has(existingPathOf(file) ?? '');
  const vanished = [...byKey.values()].filter(
    (file) => ownerOf(file) === folder && !isUnreadable(file.key) && !keepsKey(file),
  );
  return { unchanged, unrecorded, toRead, vanished, failed: [...taken.values()] };
}

/** Why the key of a stored file may not be taken by the folder; undefined if it may. */
export function otherOwner(stored: StoredFile, { folder, ownerOf, existingPathOf }: Ownership): string | undefined {
  const isOurs = stored.folder === folder || ownerOf(stored) === folder;
  if (isOurs) return undefined;
  const owner = stored.folder === null ? 'a file that came from no folder' : existingPathOf(stored);
  return owner && `its key belongs to ${owner}: remove that file first, or add this folder under a name`;
}

/** Whether a file, or a folder above it, could not be read: then the file has not vanished. */
function unreadableBy(failed: readonly Failure[]): (key: string) => boolean {
  const names = new Set(failed.map(({ key }) => key));
  return (key) => names.has(key) || foldersAbove(key).some((folder) => names.has(folder));
}
