import { existsSync } from 'node:fs';
import { lowScoresNote } from '../../../http/low-scores.js';
import type { Abortable, EngineStatus, FolderChanges, SearchEngine, SearchFilesRequest } from '../../../index.js';
import { describeChanges } from '../../output/changes.js';
import { finishWith, noFiles, noMatchingFiles } from '../../output/results/index-advice.js';
import type { Result } from '../../output/results/result.js';
import type { BotPlace } from '../../storage-place.js';
import { indexedKeys } from './keys-of-paths.js';

/** What a search found. */
export interface Findings {
  readonly results: readonly Result[];
  /** What to know of them, one sentence each. */
  readonly notes: readonly string[];
  /** Whether the bot has files. */
  readonly isIndexed: boolean;
}

/** Where to search, and what to say of files that differ from the index. */
export interface FindOptions extends Abortable {
  /** The bot that is searched. */
  readonly botPlace: BotPlace;
  /** Paths from the working folder, keys and globs. */
  readonly places?: readonly string[] | undefined;
  /** How to update the index, such as `waymark index`. Files on disk are compared with it only if this is given. */
  readonly update?: string;
}

const NO_CHANGES: FolderChanges = { added: [], changed: [], removed: [], unreadable: [], gone: [] };

/** Searches files. Throws as `searchFiles` does. */
export async function find(
  engine: SearchEngine,
  request: SearchFilesRequest,
  { botPlace, places = [], update, signal }: FindOptions,
): Promise<Findings> {
  const path = await indexedKeys(engine, places);
  // Files are counted and compared while the query is embedded.
  const [{ passages }, status, changes] = await Promise.all([
    engine.searchFiles({ ...request, path, positions: true }, { signal }),
    engine.status({ signal }),
    update === undefined ? NO_CHANGES : engine.changes({ signal }),
  ]);
  const stale = new Set([...changes.changed, ...changes.removed]);
  const results = await Promise.all(
    passages.map(async (found): Promise<Result> => {
      const { key } = found.file;
      return { ...found, path: await pathOf(key, engine), stale: stale.has(key) };
    }),
  );
  const isMisspelt = results.length === 0 && path.length > 0 && (await engine.keys(path)).length === 0;
  const none = isMisspelt ? noMatchingFiles(places, status) : 'No results.';
  const outdated = update === undefined ? [] : describeChanges(changes, { botPlace, update });
  return { results, notes: notesOn(results, { botPlace, status, none, outdated }), isIndexed: status.files > 0 };
}

/** Results with those of one file together, in the order of their best. */
export function grouped(results: readonly Result[]): Result[] {
  const files = [...new Set(results.map(({ file }) => file.id))];
  return files.flatMap((id) => results.filter(({ file }) => file.id === id));
}

function notesOn(
  results: readonly Result[],
  {
    botPlace,
    status,
    none,
    outdated,
  }: Pick<FindOptions, 'botPlace'> & {
    readonly status: EngineStatus;
    readonly none: string;
    readonly outdated: readonly string[];
  },
): string[] {
  const { files, passages, embedded } = status;
  if (files === 0) return [noFiles(status, botPlace)];
  const percent = Math.floor((100 * embedded) / passages);
  const isPartial = embedded < passages;
  const standing = results.length === 0 ? none : lowScoresNote(results);
  return [
    ...(isPartial ? [`Only ${percent}% of the passages are embedded. ${finishWith(botPlace)}`] : []),
    ...(standing ? [standing] : []),
    ...outdated,
  ];
}

/** The absolute path of a file from a folder; null if it is gone, or was given as a text. */
export async function pathOf(key: string, engine: SearchEngine): Promise<string | null> {
  const place = await engine.pathOfFile(key);
  return place && existsSync(place) ? place : null;
}
