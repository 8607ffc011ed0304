import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isGlob, type KnownFolder, literalGlob, type SearchEngine, WaymarkError } from '../../../index.js';
import { fromHere } from '../../output/from-here.js';
import { shellWord } from '../../output/shell-word.js';
import { fileAt } from '../file-at.js';
import { pathWithin } from '../folders/within.js';

/** What keys are looked up in. */
export interface Sources {
  readonly folders: readonly Pick<KnownFolder, 'path' | 'name'>[];
  /** Whether some files are from no folder. */
  readonly hasTexts: boolean;
  readonly pathOfFile: SearchEngine['pathOfFile'];
}

/** `keysOfPaths` for the files of an engine, whose folders are read only if paths are given. */
export async function indexedKeys(engine: SearchEngine, given: readonly string[]): Promise<string[]> {
  return given.length === 0 ? [] : keysOfPaths(given, await sourcesOf(engine));
}

/** What the keys of an engine's files are looked up in. */
async function sourcesOf(engine: SearchEngine): Promise<Sources> {
  const [folders, status] = await Promise.all([engine.listFolders(), engine.status()]);
  const hasTexts = status.folders.some(({ folder }) => folder === null);
  return { folders, hasTexts, pathOfFile: (key) => engine.pathOfFile(key) };
}

/**
 * The values of `--in` as the engine knows files: by their keys, which are relative to the indexed folder. A path that
 * exists in an indexed folder, seen from the working folder, becomes its key, and so does the folder that a glob begins
 * with. Anything else is a key already. Throws `INVALID_ARGUMENT`.
 */
export async function keysOfPaths(given: readonly string[], sources: Sources): Promise<string[]> {
  const found = given.map(async (place) => {
    const typed = place.split(path.sep).join('/');
    if (existsSync(typed) || !isGlob(typed)) return (await keysOfPlace(typed, sources)) ?? [typed];
    return keysOfGlob(typed, sources) ?? [typed];
  });
  return (await Promise.all(found)).flat();
}

/** The key of an indexed file that is given by its key, or its path, which may be gone; undefined if there is none. */
export async function indexedKey(engine: SearchEngine, given: string): Promise<string | undefined> {
  if (await engine.hasFile(given)) return given;
  for (const key of keysIn(await engine.listFolders(), real(path.resolve(given)))) {
    if (key !== '' && (await engine.hasFile(key))) return key;
  }
  return undefined;
}

/** The keys of a file or folder; undefined if it is in no indexed folder. */
async function keysOfPlace(typed: string, sources: Sources): Promise<string[] | undefined> {
  const place = pathOfTyped(typed);
  if (place === undefined) return undefined;
  const covered = sources.folders.filter((folder) => pathWithin(real(folder.path), place) !== undefined);
  if (covered.length > 0) return everything(typed, { covered, sources });
  const keys = keysIn(sources.folders, place);
  for (const key of keys) await checkFolder(typed, { key, place, sources });
  return keys.length === 0 ? undefined : keys.map((key) => literal(key, isFolder(place)));
}

/** A glob below a folder that exists, from the indexed folder; undefined if it begins in none. */
function keysOfGlob(typed: string, sources: Sources): string[] | undefined {
  const parts = typed.split('/');
  const start = parts.findIndex((part) => isGlob(part));
  const place = start === 0 ? undefined : pathOfTyped(`${parts.slice(0, start).join('/')}/`);
  if (place === undefined) return undefined;
  const rest = parts.slice(start).join('/');
  const keys = keysIn(sources.folders, place);
  const whole = sources.folders.filter(({ path }) => pathWithin(place, real(path)) === '');
  if (keys.includes('')) everything(typed, { covered: whole, sources });
  return keys.length === 0 ? undefined : keys.map((key) => `./${key === '' ? '' : `${literalGlob(key)}/`}${rest}`);
}

/** The keys that a place has in the folders around it; empty for an indexed folder without a name. */
function keysIn(folders: Sources['folders'], place: string): string[] {
  return folders.flatMap(({ path, name }) => {
    const key = pathWithin(place, real(path));
    return key === undefined ? [] : [[name, key].filter((part) => part !== '').join('/')];
  });
}

/** Refuses a place that is not indexed, if its key is that of a file from another folder. */
async function checkFolder(
  typed: string,
  { key, place, sources }: { readonly key: string; readonly place: string; readonly sources: Sources },
): Promise<void> {
  const file = await sources.pathOfFile(key);
  if (!file || real(file) === place) return;
  throw new WaymarkError(
    'INVALID_ARGUMENT',
    `${JSON.stringify(typed)} is not indexed: the file of the key ${JSON.stringify(key)} is ` +
      `${JSON.stringify(file)}. Name that file, or add the folder of this one under a name with: waymark add`,
  );
}

/** The keys of whole folders: their names, or all files if no other folder has any. */
function everything(
  typed: string,
  { covered, sources }: { readonly covered: Sources['folders']; readonly sources: Sources },
): string[] {
  if (covered.length === sources.folders.length && !sources.hasTexts) return ['.'];
  const unnamed = covered.find(({ name }) => name === '');
  if (!unnamed) return covered.map(({ name }) => literal(name, true));
  throw new WaymarkError(
    'INVALID_ARGUMENT',
    `${JSON.stringify(typed)} takes in a whole folder that was indexed without a name, and the bot also has ` +
      'files from elsewhere, which keys do not tell apart. Name files or folders in it, or give it a name with: ' +
      `waymark add ${shellWord(fromHere(unnamed.path))} --name <name>`,
  );
}

/** The absolute path of what a person typed; undefined if it is no path from here, and may be a key. */
function pathOfTyped(typed: string): string | undefined {
  return existsSync(typed) || path.isAbsolute(typed) ? real(path.resolve(typed)) : undefined;
}

function real(place: string): string {
  return existsSync(place) ? realpathSync.native(place) : place;
}

function isFolder(place: string): boolean {
  return fileAt(place)?.isDirectory() ?? false;
}

/** A path that matches only this key, even if the key looks like a glob. */
function literal(key: string, isFolder: boolean): string {
  return isGlob(key) ? `./${literalGlob(key)}${isFolder ? '/' : ''}` : key;
}
