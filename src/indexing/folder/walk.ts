import { constants } from 'node:fs';
import { access, lstat, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isKey } from '../../contract/engine/index-file.js';
import { CHECK_PERMISSIONS, isDenied, readFailure, reasonOf, WaymarkError } from '../../domain/errors.js';
import { formats } from '../../formats/formats.js';
import { foldersAbove } from './folders-above.js';
import { IgnoreRules } from './ignore-rules.js';

/** A file of a folder that is to be indexed. */
export interface FoundFile {
  /** The prefix of the folder's keys and the path relative to it, with forward slashes. */
  readonly key: string;
  /** Absolute path. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** When its content was modified, in milliseconds since the epoch; programs may set it to any time. */
  readonly mtime: number;
  /** When anything about it changed, in milliseconds since the epoch; the file system alone sets it. */
  readonly ctime: number;
  /** The number that the file system knows it by. */
  readonly inode: number;
}

/** What went wrong with one file or folder. */
export interface Failure {
  /** Key of a file; for a folder that could not be read, its path with a slash at the end. */
  readonly key: string;
  /** Why it failed, for people. */
  readonly reason: string;
}

/** The files found in a folder, ordered by key. */
export interface Walk {
  readonly files: readonly FoundFile[];
  readonly failed: readonly Failure[];
}

/** Which files of a folder to find. */
export interface WalkOptions {
  /** Files to skip: patterns in .gitignore syntax, relative to the folder. */
  readonly patterns?: readonly string[] | undefined;
  /** Look for these files only, and read only the folders above them. Defaults to all files. */
  readonly keys?: readonly string[] | undefined;
  /** What the keys begin with. Defaults to nothing: they are relative to the folder. */
  readonly prefix?: string | undefined;
  /** Folders to skip, by their paths relative to the folder, with forward slashes. */
  readonly without?: ReadonlySet<string> | undefined;
}

/**
 * Finds the files of a folder whose format is indexed. Skips hidden files, `node_modules`, and whatever `patterns`,
 * `.gitignore` or `.waymarkignore` files exclude, those above the folder in the same git repository included. Does not
 * follow links: their targets are found in their own place, or are outside the folder. Skips databases in use, whatever
 * their name. Throws `FOLDER_MISSING`. A file or folder below that cannot be read is reported in `failed`; others are
 * still found.
 */
export async function walk(folder: string, options: WalkOptions = {}): Promise<Walk> {
  const { patterns = [], keys, prefix = '', without } = options;
  const root = await realFolder(folder);
  const files: FoundFile[] = [];
  const failed: Failure[] = [];
  const isWanted = keys && wantedBy(keys);

  async function visit(parent: string, above: IgnoreRules): Promise<void> {
    const rules = await above.within(parent);
    const entries = await readdir(parent, { withFileTypes: true });
    const names = new Set(entries.map(({ name }) => name));
    if ((await realpath(parent)) !== parent) throw new Error('it was replaced by a link while it was read');
    for (const entry of entries) {
      const absolute = path.join(parent, entry.name);
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const isFolder = entry.isDirectory();
      const isCandidate = isFolder || (entry.isFile() && formats.ofKey(entry.name) !== undefined);
      // The log shows that it is a database in use. Do not open it to find out: by POSIX, closing a file releases all
      // locks that this process has on it.
      if (!isCandidate || names.has(`${entry.name}-wal`)) continue;
      const relative = path.relative(root, absolute).split(path.sep).join('/');
      if (without?.has(relative)) continue;
      const key = `${prefix}${relative}`;
      const name = isFolder ? `${key}/` : key;
      if (isWanted?.(name) === false || rules.ignores(absolute, { isFolder })) continue;
      if (!isKey(key)) {
        const reason = 'its path is too long, or has control characters or bytes that are not UTF-8: rename it';
        failed.push({ key: name, reason });
        continue;
      }
      try {
        if (isFolder) {
          await visit(absolute, rules);
        } else {
          const { size, mtimeMs: mtime, ctimeMs: ctime, ino: inode } = await lstat(absolute);
          files.push({ key: name, path: absolute, size, mtime, ctime, inode });
        }
      } catch (error) {
        failed.push({ key: name, reason: readFailure(error) });
      }
    }
  }

  try {
    await visit(root, await IgnoreRules.above(root, patterns));
  } catch (cause) {
    const reason = reasonOf(cause);
    const message = `${root} could not be read (${reason}): try again once the cause is fixed.`;
    throw new WaymarkError('FOLDER_MISSING', message, { cause });
  }
  return { files: files.sort(byKey), failed: failed.sort(byKey) };
}

/** Orders files or failures by key. */
export function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return a.key < b.key ? -1 : 1;
}

/**
 * Returns a test for names: passes the given keys, and the folders above them, which are named with a slash at the end.
 */
function wantedBy(keys: readonly string[]): (name: string) => boolean {
  const wanted = new Set<string>();
  for (const key of keys) {
    for (const folder of foldersAbove(key)) wanted.add(folder);
    wanted.add(key);
  }
  return (name) => wanted.has(name);
}

/** The absolute path of a folder without links. Throws `FOLDER_MISSING` if it cannot be read. */
export async function realFolder(folder: string): Promise<string> {
  const place = path.resolve(folder);
  try {
    const root = await realpath(place);
    if ((await stat(root)).isDirectory()) {
      await access(root, constants.R_OK | constants.X_OK);
      return root;
    }
  } catch (cause) {
    const message = isDenied(cause)
      ? `${place} cannot be read: ${CHECK_PERMISSIONS}.`
      : `No folder at ${place}: give the path of a folder of documents.`;
    throw new WaymarkError('FOLDER_MISSING', message, { cause });
  }
  throw new WaymarkError('FOLDER_MISSING', `${place} is a file: give the folder that it is in.`);
}
