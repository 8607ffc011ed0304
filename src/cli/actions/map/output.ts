import { randomUUID } from 'node:crypto';
import {
  closeSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../../index.js';
import { fileAt } from '../file-at.js';
import { BEGINNING } from './map-page.js';

/** Checks that a map may be written to a file: it is new, or holds a map. Throws `INVALID_ARGUMENT`. */
export function checkOutput(file: string): void {
  if (file === '') throw refused('The path of --output is empty: pass the path of a file.');
  const named = JSON.stringify(file);
  const folder = path.dirname(path.resolve(file));
  if (!fileAt(folder)?.isDirectory())
    throw refused(`The folder of --output ${named} does not exist: create it, or pass another.`);
  const found = fileAt(file);
  if (found && !(found.isFile() && isMap(file))) {
    throw refused(`--output ${named} exists and is not a map: pass a new file, or one that holds a map to replace.`);
  }
}

/**
 * Writes a file whole or not at all; through a link, the file that it leads to. Throws `INVALID_ARGUMENT` if its folder
 * cannot be written to.
 */
export function writeOutput(file: string, text: string): void {
  let temporary: string | undefined;
  try {
    const target = withoutLinks(path.resolve(file));
    temporary = `${target}.${randomUUID()}`;
    writeFileSync(temporary, text);
    renameSync(temporary, target);
  } catch (cause) {
    if (temporary !== undefined) rmSync(temporary, { force: true });
    const { code } = cause as NodeJS.ErrnoException;
    const message = `--output ${JSON.stringify(file)} cannot be written (${code}): pass a file in another folder.`;
    throw new WaymarkError('INVALID_ARGUMENT', message, { cause });
  }
}

/** Where a file is, or is to be created: a link may lead to a file that does not exist yet. */
function withoutLinks(file: string): string {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return file;
  try {
    return realpathSync.native(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return withoutLinks(path.resolve(realpathSync.native(path.dirname(file)), readlinkSync(file)));
  }
}

function isMap(file: string): boolean {
  const beginning = Buffer.alloc(BEGINNING.length);
  const opened = openSync(file, 'r');
  try {
    readSync(opened, beginning);
  } finally {
    closeSync(opened);
  }
  return beginning.toString() === BEGINNING;
}

function refused(message: string): WaymarkError {
  return new WaymarkError('INVALID_ARGUMENT', message);
}
