import type { StoredFile } from '../../storage/passage-store.js';
import type { FoundFile } from './walk.js';

/**
 * Milliseconds: file system clocks may tick this coarsely. A file that changed less than this before it was read may
 * have changed again without another time.
 */
const CLOCK_TICK = 2000;

/** A file system without a clock, or an archive, dates its files before this: in 1970, 1980 or 1985. */
const FIRST_CREDIBLE = Date.UTC(1990);

/**
 * Whether a file is the one that was stored, by what its folder says of it. If in doubt it is not, and its bytes are
 * compared: where the times cannot tell, because they are constant, in the future or too close to the last reading, and
 * where anything else about the file changed, such as its permissions.
 */
export function isUnchanged(found: FoundFile, stored: StoredFile): boolean {
  return (
    stored.size === found.size &&
    stored.mtime === found.mtime &&
    found.ctime > FIRST_CREDIBLE &&
    stored.indexedAt - Math.max(found.mtime, found.ctime) > CLOCK_TICK &&
    // Version 0.1 recorded neither: a ctime before the reading says as much.
    (stored.ctime === null || (stored.ctime === found.ctime && stored.inode === found.inode))
  );
}
