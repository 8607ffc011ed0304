import type { StoredFile } from '../../storage/passage-store.js';
import type { FoundFile } from './walk.js';

/**
 * The coarsest tick of file system clocks, in milliseconds. A file that changed less than this before it was read may
 * have changed again and kept its times.
 */
const CLOCK_TICK = 2000;

/** Earlier times, such as 1970, 1980 or 1985, are those of a file system without a clock, or of an archive. */
const FIRST_CREDIBLE = Date.UTC(1990);

/**
 * Whether a file is the one that was stored, by its size, times and inode. False if in doubt, so that its bytes are
 * compared: if the times are implausible, in the future or too close to the last reading, or if anything else about the
 * file changed, such as its permissions.
 */
export function isUnchanged(found: FoundFile, stored: StoredFile): boolean {
  return (
    stored.size === found.size &&
    stored.mtime === found.mtime &&
    found.ctime > FIRST_CREDIBLE &&
    stored.indexedAt - Math.max(found.mtime, found.ctime) > CLOCK_TICK &&
    // Version 0.1 recorded neither; there, a ctime before the reading shows that the file is unchanged.
    (stored.ctime === null || (stored.ctime === found.ctime && stored.inode === found.inode))
  );
}
