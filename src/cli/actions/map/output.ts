import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../../index.js';
import { fileAt } from '../file-at.js';
import { BEGINNING } from './map-page.js';

/** Checks that a map may be written to a file: it is new, or holds a map. Throws `INVALID_ARGUMENT`. */
export function checkOutput(file: string): void {
  const named = JSON.stringify(file);
  const folder = path.dirname(path.resolve(file));
  if (!fileAt(folder)?.isDirectory())
    throw refused(`The folder of --output ${named} does not exist: create it, or pass another.`);
  const found = fileAt(file);
  if (found && !(found.isFile() && isMap(file))) {
    throw refused(`--output ${named} exists and is not a map: pass a new file, or one that holds a map to replace.`);
  }
}

/** Writes a file whole or not at all. Throws `INVALID_ARGUMENT` if its folder cannot be written to. */
export function writeOutput(file: string, text: string): void {
  const temporary = `${file}.${randomUUID()}`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, file);
  } catch (cause) {
    rmSync(temporary, { force: true });
    const { code } = cause as NodeJS.ErrnoException;
    const message = `--output ${JSON.stringify(file)} cannot be written (${code}): pass a file in another folder.`;
    throw new WaymarkError('INVALID_ARGUMENT', message, { cause });
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
