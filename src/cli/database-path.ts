import { lstatSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The default place of a database, relative to the folder that it serves. */
export const DATABASE = path.join('.waymark', 'waymark.db');

/** The configuration file, in the folder of the database. */
const CONFIGURATION = 'config.json';

/**
 * The database in this folder or its nearest ancestor, as git finds its repository; also one that does not exist yet,
 * if there is a configuration file for it. If there is neither, the path at which to create one in `start`. A folder
 * that cannot be read counts as one with a database: opening the database reports the reason.
 */
export function nearestDatabase(start: string): string {
  for (let folder = start; ; folder = path.dirname(folder)) {
    const file = path.join(folder, DATABASE);
    if (!isMissing(file) || !isMissing(path.join(path.dirname(file), CONFIGURATION))) return file;
    if (folder === path.dirname(folder)) return path.join(start, DATABASE);
  }
}

/** Makes git ignore the folder of a new database, except for its configuration, if that folder is Waymark's own. */
export function hideFromGit(database: string): void {
  if (!isInOwnFolder(database)) return;
  try {
    writeFileSync(path.join(path.dirname(database), '.gitignore'), `*\n!${CONFIGURATION}\n`, { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/**
 * The configuration file of a database. Undefined if there is none, if the folder is not Waymark's own, or if the
 * folder cannot be read: opening the database reports that.
 */
export function configurationFile(database: string): string | undefined {
  const file = path.join(path.dirname(database), CONFIGURATION);
  return isInOwnFolder(database) && isThere(file) ? file : undefined;
}

/** A link to a missing file counts as existing: reading it reports what is wrong. */
function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function isInOwnFolder(database: string): boolean {
  return path.basename(path.dirname(path.resolve(database))) === path.dirname(DATABASE);
}

function isMissing(file: string): boolean {
  try {
    return !statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOTDIR';
  }
}
