import { realpathSync } from 'node:fs';
import path from 'node:path';
import {
  type DeclaredFolder,
  type EngineOptions,
  type KnownFolder,
  type SearchEngine,
  WaymarkError,
} from '../../../index.js';
import { fromHere } from '../../output/from-here.js';
import { shellWord } from '../../output/shell-word.js';
import { storageOf } from '../../storage-place.js';
import { type BotFilesOptions, missingDatabase, withEngine } from '../open.js';

/**
 * `withEngine` for a command that updates folders. Adds those of the configuration file first; if there are any, the
 * database is created.
 */
export function withFolders<T>(
  options: BotFilesOptions,
  { create }: Pick<EngineOptions, 'create'>,
  use: (engine: SearchEngine) => Promise<T>,
): Promise<T> {
  const { folders = [] } = options;
  // Report a wrong configuration before a database is created.
  if (missingDatabase(storageOf(options))) for (const folder of folders) assertExists(folder);
  return withEngine(options, { create: create || folders.length > 0 }, async (engine) => {
    await declareFolders(engine, folders);
    return use(engine);
  });
}

/**
 * Adds the folders that the configuration file declares, with their settings. A known folder that no longer exists
 * keeps its settings: updating it reports that. Throws `FOLDER_MISSING` for a new one that does not exist, and the
 * errors of `addFolder`.
 */
export async function declareFolders(
  engine: Pick<SearchEngine, 'addFolder' | 'listFolders'>,
  folders: readonly DeclaredFolder[] = [],
): Promise<void> {
  if (folders.length === 0) return;
  const known = new Map((await engine.listFolders()).map((folder) => [folder.path, folder]));
  for (const { folder, ...declared } of folders) {
    const place = realPathOf(folder);
    const before = known.get(place ?? folder);
    if (!before) assertExists({ folder, ...declared });
    if (!place || hasSettings(before, declared)) continue;
    await engine.addFolder(folder, declared).catch(async (error: WaymarkError) => {
      throw error.code === 'FOLDER_EXISTS' ? nameTaken(place, declared.name, await engine.listFolders()) : error;
    });
  }
}

/** The error for a name that another known folder has: the file may have declared that one before. */
function nameTaken(place: string, name: string, known: readonly KnownFolder[]): WaymarkError {
  const other = fromHere(known.find((folder) => folder.name === name)?.path ?? '');
  const message =
    `The configuration file declares ${fromHere(place)} as "${name}", but the index has that name for ${other}: ` +
    `choose another name, or forget that folder with: waymark drop ${shellWord(other)}`;
  return new WaymarkError('FOLDER_EXISTS', message);
}

/** Throws `FOLDER_MISSING`. */
function assertExists({ folder, name }: DeclaredFolder): void {
  if (realPathOf(folder)) return;
  const missing = `The folder ${folder} of "${name}" does not exist`;
  throw new WaymarkError('FOLDER_MISSING', `${missing}: correct its path in the configuration.`);
}

/**
 * Throws `INVALID_ARGUMENT` for a folder, given by name or path, that the configuration file would add again as it was.
 * `next` is what to do there.
 */
export function assertUndeclared(
  nameOrPath: string,
  { folders = [], next }: { readonly folders: readonly DeclaredFolder[] | undefined; readonly next: string },
): void {
  const place = absolutePathOf(nameOrPath);
  const declared = folders.find(({ name, folder }) => name === nameOrPath || absolutePathOf(folder) === place);
  if (!declared) return;
  const message = `The configuration file declares the folder "${declared.name}": ${next}.`;
  throw new WaymarkError('INVALID_ARGUMENT', message);
}

/** Whether a known folder has all settings that are declared. */
function hasSettings(known: object | undefined, declared: object): boolean {
  const before = new Map(Object.entries(known ?? {}));
  return Object.entries(declared).every(([name, value]) => JSON.stringify(value) === JSON.stringify(before.get(name)));
}

/** The path of a folder without links, or as it is given if the folder does not exist. */
function absolutePathOf(folder: string): string {
  return realPathOf(folder) ?? path.resolve(folder);
}

function realPathOf(folder: string): string | undefined {
  try {
    return realpathSync.native(folder);
  } catch {
    return undefined;
  }
}
