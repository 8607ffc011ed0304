import { existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { type EngineStatus, WaymarkError } from '../../index.js';
import { absoluteFolder } from '../database-path.js';

type Sources = Pick<EngineStatus, 'database' | 'folders'>;

/** Characters that make a path a glob. */
const WILDCARD = /[*?[{]/;

/**
 * The values of `--in` as the engine knows files: by their keys, which are relative to the indexed folder. A path that
 * exists in an indexed folder, seen from the working folder, becomes its key, and so does the folder that a glob begins
 * with. Anything else is a key already. Throws `INVALID_ARGUMENT`.
 */
export function keysOfPaths(given: readonly string[], sources: Sources): string[] {
  return given.flatMap((place) => {
    const typed = place.split(path.sep).join('/');
    if (existsSync(typed) || !WILDCARD.test(typed)) return keysOfPlace(typed, sources) ?? [typed];
    return keysOfGlob(typed, sources) ?? [typed];
  });
}

/** The keys of a file or folder; undefined if it is in no indexed folder. */
function keysOfPlace(typed: string, sources: Sources): string[] | undefined {
  const place = placeOf(typed);
  if (place === undefined) return undefined;
  const indexed = foldersOf(sources);
  const covered = indexed.filter((folder) => within(folder, place) !== undefined);
  if (covered.length > 0) return everything(typed, { covered, sources });
  const keys = indexed.flatMap((folder) => within(place, folder) ?? []);
  return keys.length === 0 ? undefined : keys.map((key) => literal(key, isFolder(place)));
}

/** A glob below a folder that exists, from the indexed folder; undefined if it begins in none. */
function keysOfGlob(typed: string, sources: Sources): string[] | undefined {
  const start = typed.slice(0, typed.search(WILDCARD)).lastIndexOf('/') + 1;
  const place = start === 0 ? undefined : placeOf(typed.slice(0, start));
  if (place === undefined) return undefined;
  const rest = typed.slice(start);
  const indexed = foldersOf(sources);
  const keys = indexed.flatMap((folder) => within(place, folder) ?? []);
  if (keys.includes('')) everything(typed, { covered: [place], sources });
  return keys.length === 0 ? undefined : keys.map((key) => `./${key === '' ? '' : `${escaped(key)}/`}${rest}`);
}

/** All files, if no other folder has any: keys do not say which folder they are from. */
function everything(
  typed: string,
  { covered, sources }: { readonly covered: readonly string[]; readonly sources: Sources },
): string[] {
  if (covered.length === sources.folders.length) return ['.'];
  throw new WaymarkError(
    'INVALID_ARGUMENT',
    `--in ${JSON.stringify(typed)} takes in a whole indexed folder, but the bot also has files from elsewhere, which ` +
      'keys do not tell apart. Name files or folders in it, or index it into a bot of its own.',
  );
}

/** Absolute paths of the indexed folders. */
function foldersOf({ database, folders }: Sources): string[] {
  return folders.flatMap(({ folder }) => (folder === null ? [] : [real(absoluteFolder(folder, database))]));
}

/** The absolute path of what a person typed; undefined if it is no path from here, and may be a key. */
function placeOf(typed: string): string | undefined {
  return existsSync(typed) || path.isAbsolute(typed) ? real(path.resolve(typed)) : undefined;
}

function real(place: string): string {
  return existsSync(place) ? realpathSync.native(place) : place;
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A place relative to a folder, as keys are written: empty for the folder itself, undefined if it is not in it. */
function within(place: string, folder: string): string | undefined {
  const relative = path.relative(folder, place);
  const steps = relative.split(path.sep);
  return steps[0] === '..' || path.isAbsolute(relative) ? undefined : steps.join('/');
}

/** A path that stands for this key only, if it looks like a glob. */
function literal(key: string, isFolder: boolean): string {
  return WILDCARD.test(key) ? `./${escaped(key)}${isFolder ? '/' : ''}` : key;
}

function escaped(key: string): string {
  return key.replace(/[\\*?[\]{},]/g, '\\$&');
}
