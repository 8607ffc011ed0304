import { realpathSync } from 'node:fs';
import path from 'node:path';
import {
  type FolderOutcome,
  type IndexFolderResult,
  type IndexFoldersOptions,
  type ReembedResult,
  reembed,
  type SearchEngine,
  type Tags,
  WaymarkError,
} from '../../index.js';
import { FAILURE, NO_RESULTS, SUCCESS } from '../exit-codes.js';
import { fromHere } from '../output/from-here.js';
import { describeIndexing, describeOutcome, describeReembedding, isEmpty } from '../output/indexing.js';
import { print, printList, printMessage } from '../output/print.js';
import { shellWord } from '../output/shell-word.js';
import { commandFor } from '../storage-place.js';
import { fileAt } from './file-at.js';
import { withFolders } from './folders/declare.js';
import { ignoreNotes, keyChangeNotes, notesOn } from './folders/folder-notes.js';
import { type BotFilesOptions, engineOptions } from './open.js';
import { indexWithProgress, withProgress } from './progress.js';

const NO_FOLDER = 'No folder was updated. Add one with: waymark add <folder>';

export interface IndexCommandOptions extends BotFilesOptions {
  readonly reembed?: true;
  readonly verify?: true;
  readonly ignore?: readonly string[];
  readonly tag?: Tags;
  readonly reset?: true;
}

/** `waymark index [folder]` */
export async function indexFolder(folder: string | undefined, options: IndexCommandOptions): Promise<number> {
  check(folder, options);
  if (folder === undefined && !options.reembed) return indexFolders(options);
  const reembedded = options.reembed && (await reembedFiles(options));
  const { result, notes = [] } = folder === undefined ? {} : await indexFiles(folder, options);
  const lines = reembedded ? [describeReembedding(reembedded)] : [];
  if (folder !== undefined && result) lines.push(describeIndexing(folder, result));
  print({ ...result, ...(reembedded && { reembedded }) }, { json: options.json, lines });
  for (const note of notes) printMessage(note);
  if (result && result.failed.length > 0) return FAILURE;
  const none = result ? isEmpty(result) : reembedded?.files === 0;
  return none ? NO_RESULTS : SUCCESS;
}

/** Updates one folder. The notes are for people. */
function indexFiles(
  folder: string,
  options: IndexCommandOptions,
): Promise<{ readonly result: IndexFolderResult; readonly notes: readonly string[] }> {
  return withFolders(options, { create: true }, async (engine) => {
    const { verify, reset } = options;
    const { tag: tags = reset && {}, ignore = reset && [] } = options;
    const unnamed = { path: realpathSync.native(folder), name: '' };
    const takenOver = await keyChangeNotes(engine, unnamed, await engine.listFolders());
    const result = await indexWithProgress(engine, folder, { ignore, tags, tagRules: reset && [], verify });
    printProblems(result);
    // If no file got a new key, there is nothing to report.
    const keyChanges = result.added + result.moved > 0 ? takenOver : [];
    return { result, notes: [...keyChanges, ...(await notesOn(engine, folder, options))] };
  });
}

/** Updates all folders that the bot knows. */
function indexFolders(options: IndexCommandOptions): Promise<number> {
  return withFolders(options, { create: false }, async (engine) => {
    const { json } = options;
    const folders = await updateFolders(engine, options);
    const lines = folders.flatMap((outcome) => describeOutcome(outcome) ?? []);
    const code = printList(
      { folders },
      { json, lines, none: folders.length > 0 ? 'No folder was updated.' : NO_FOLDER },
    );
    const empty = folders.filter(({ result }) => result && isEmpty(result)).map(({ folder }) => folder);
    const known = empty.length > 0 ? await engine.listFolders() : [];
    const unread = known.filter(({ folder }) => empty.includes(folder));
    for (const note of unread.flatMap((folder) => ignoreNotes(folder, options))) printMessage(note);
    return folders.some(({ result }) => !result || result.failed.length > 0) ? FAILURE : code;
  });
}

/** Brings all folders up to date with a progress bar, and says what could not be. */
export async function updateFolders(
  engine: SearchEngine,
  { verify, ...options }: Pick<IndexFoldersOptions, 'verify'> & BotFilesOptions,
): Promise<readonly FolderOutcome[]> {
  const folders = await withProgress((progress) => engine.indexFolders({ verify, ...progress }));
  for (const outcome of folders) {
    if (outcome.result) printProblems(outcome.result);
    else printMessage(`${outcome.problem} To forget its files: ${forgetting(outcome, options)}`);
  }
  return folders;
}

/** How to forget a folder that is gone. */
function forgetting(outcome: FolderOutcome, { folders: declared = [], ...botPlace }: BotFilesOptions): string {
  const drop = commandFor(botPlace, `drop ${shellWord(fromHere(outcome.path))}`);
  const isDeclared = declared.some(({ name }) => name === outcome.name);
  return isDeclared ? `take it out of the configuration file, then run: ${drop}` : drop;
}

/** Says which files were not indexed, or only in part. */
export function printProblems({ warnings, failed }: IndexFolderResult): void {
  for (const { key, reason } of warnings) printMessage(`${key}: ${reason}`);
  for (const { key, reason } of failed) printMessage(`${key} was not indexed: ${reason}`);
}

function reembedFiles(options: BotFilesOptions): Promise<ReembedResult> {
  return withProgress((progress) => reembed({ ...engineOptions(options), ...progress }));
}

function check(folder: string | undefined, { reembed, ignore, tag, verify, reset }: IndexCommandOptions): void {
  if (folder !== undefined) {
    checkFolder(folder);
  } else if (ignore || tag || reset) {
    const message = '--ignore, --tag and --reset need a folder. Pass the folder to index as well.';
    throw new WaymarkError('INVALID_ARGUMENT', message);
  } else if (reembed && verify) {
    const message = '--verify with --reembed needs a folder. Pass the folder to index as well.';
    throw new WaymarkError('INVALID_ARGUMENT', message);
  }
}

/** The engine checks this too, but only once it has created a database. */
export function checkFolder(folder: string): void {
  if (folder === '')
    throw new WaymarkError('FOLDER_MISSING', 'The path of the folder is empty. Pass a folder of documents.');
  const place = path.resolve(folder);
  const found = fileAt(place);
  if (found?.isDirectory()) return;
  const message = found
    ? `${place} is a file. Pass the folder that contains it.`
    : `Folder ${place} does not exist. Pass a folder of documents.`;
  throw new WaymarkError('FOLDER_MISSING', message);
}
