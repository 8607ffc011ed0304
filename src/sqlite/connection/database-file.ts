import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../domain/errors.js';
import { databaseError } from './database-error.js';

/** Where a database is, or is to be created. */
export interface DatabaseFile {
  /** Absolute path without links: SQLite keeps its log beside this one, and folders are stored relative to it. */
  readonly file: string;
  readonly exists: boolean;
}

/**
 * Follows the symbolic links to a database, whether it exists or not. Throws `INVALID_ARGUMENT` for a folder, and
 * `DATABASE_UNWRITABLE`, also for a database with hard links.
 */
export function databaseFile(given: string): DatabaseFile {
  try {
    const file = withoutLinks(path.resolve(given));
    const found = ifThere(() => statSync(file));
    if (found?.isDirectory()) throw isFolder(file);
    if (found?.isFile() && found.nlink > 1) throw hardLinked(file, found.nlink);
    return { file, exists: found !== undefined };
  } catch (error) {
    throw databaseError(error, path.resolve(given));
  }
}

/** Like `realpath`, but the file may be missing: its folder is resolved, and so is a link to a missing file. */
function withoutLinks(file: string): string {
  const found = ifThere(() => realpathSync.native(file));
  if (found !== undefined) return found;
  const folder = withoutLinks(path.dirname(file));
  const place = path.join(folder, path.basename(file));
  const isLink = ifThere(() => lstatSync(place))?.isSymbolicLink();
  return isLink ? withoutLinks(path.resolve(folder, readlinkSync(place))) : place;
}

/** What a call about a file returns; undefined if there is no file. Other errors, such as EACCES, are thrown. */
function ifThere<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(ENOENT|ENOTDIR)$/.test(String(error.code))) return undefined;
    throw error;
  }
}

function isFolder(file: string): WaymarkError {
  const message = `${file} is a folder: name the database in it, such as ${path.join(file, 'waymark.db')}.`;
  return new WaymarkError('INVALID_ARGUMENT', message);
}

function hardLinked(file: string, links: number): WaymarkError {
  const message =
    `${file} is one of ${links} hard links to a database, and SQLite keeps a log beside each of them, so changes ` +
    'would be lost: make a copy in its place, or keep one of them and make the others symbolic links.';
  return new WaymarkError('DATABASE_UNWRITABLE', message);
}
