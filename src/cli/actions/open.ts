import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  type DeclaredFolder,
  type EngineOptions,
  type Host,
  type IndexKind,
  openEngine,
  openHost,
  type SearchEngine,
  WaymarkError,
} from '../../index.js';
import { hideFromGit } from '../database-path.js';
import { printMessage } from '../output/print.js';
import { commandFor, placeArgument, type StoragePlace, storageOf } from '../storage-place.js';

/** Options of every command that opens a database. */
export interface DatabaseOptions extends StoragePlace {
  readonly json?: true;
}

/** Options of the commands that work on the files of one bot. */
export interface BotFilesOptions extends DatabaseOptions {
  readonly bot?: string;
  readonly model?: string;
  readonly passageTokens?: number;
  readonly index?: IndexKind;
  /** The folders of the configuration file. */
  readonly folders?: readonly DeclaredFolder[];
}

/** Opens the engine that the options name while `use` runs. `create` allows a missing database to be created. */
export async function withEngine<T>(
  options: BotFilesOptions,
  { create, processes }: Pick<EngineOptions, 'create' | 'processes'>,
  use: (engine: SearchEngine) => Promise<T>,
): Promise<T> {
  const opening = { ...engineOptions(options), create, processes };
  const created = create ? missingDatabase(opening) : undefined;
  const engine = await openEngine(opening).catch((error: unknown) => {
    throw missingAt(options, error);
  });
  try {
    if (created !== undefined) hideFromGit(created);
    return await use(engine);
  } finally {
    await engine.close();
  }
}

/**
 * Opens the host of the database that the options name while `use` runs. `createdBy` is the command that creates a
 * database, such as `bot create <name>`, for people who have none.
 */
export async function withHost<T>(
  { model, passageTokens, index, ...place }: BotFilesOptions,
  { create, createdBy }: { readonly create: boolean; readonly createdBy: string },
  use: (host: Host) => Promise<T>,
): Promise<T> {
  const storage = storageOf(place);
  const { database } = storage;
  const created = create ? missingDatabase(storage) : undefined;
  const host = await openHost({ ...storage, create, model, passageTokens, index, onWarning: printMessage }).catch(
    (cause: unknown) => {
      if (!(cause instanceof WaymarkError) || cause.code !== 'INDEX_MISSING' || database === undefined) throw cause;
      const advice = `Create one with: ${commandFor({ database: place.database }, createdBy)}`;
      throw new WaymarkError('INDEX_MISSING', `No database at ${path.resolve(database)}. ${advice}`, { cause });
    },
  );
  try {
    if (created !== undefined) hideFromGit(created);
    return await use(host);
  } finally {
    await host.close();
  }
}

/** An error of opening an engine. The message of a missing index or bot ends in a command: the place is added to it. */
function missingAt(place: StoragePlace, error: unknown): unknown {
  const argument = placeArgument(place);
  if (!(error instanceof WaymarkError) || argument === '') return error;
  if (error.code !== 'INDEX_MISSING' && error.code !== 'BOT_MISSING') return error;
  return new WaymarkError(error.code, `${error.message}${argument}`, { cause: error });
}

export function engineOptions(options: BotFilesOptions): EngineOptions {
  const { bot, model, passageTokens, index } = options;
  return { ...storageOf(options), bot, model, passageTokens, index, onWarning: printMessage };
}

/** The database file of some options, if it does not exist yet. */
export function missingDatabase({ database }: Pick<EngineOptions, 'database'>): string | undefined {
  return database !== undefined && !existsSync(database) ? database : undefined;
}
