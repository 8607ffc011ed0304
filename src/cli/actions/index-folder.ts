import { statSync } from 'node:fs';
import path from 'node:path';
import { type IndexFolderResult, type ReembedResult, reembed, type Tags, WaymarkError } from '../../index.js';
import { FAILURE, NO_RESULTS, SUCCESS } from '../exit-codes.js';
import { describeIndexing, describeReembedding, isEmpty } from '../output/indexing.js';
import { print, say } from '../output/print.js';
import { type BotFilesOptions, engineOptions, withEngine } from './open.js';
import { indexWithProgress, withProgress } from './progress.js';

export interface IndexCommandOptions extends BotFilesOptions {
  readonly reembed?: true;
  readonly verify?: true;
  readonly ignore?: readonly string[];
  readonly tag?: Tags;
}

/** `waymark index [folder]` */
export async function indexFolder(folder: string | undefined, options: IndexCommandOptions): Promise<number> {
  check(folder, options);
  const reembedded = options.reembed && (await reembedFiles(options));
  const result = folder === undefined ? undefined : await indexFiles(folder, options);
  print(
    { ...result, ...(reembedded && { reembedded }) },
    {
      json: options.json,
      lines: [...(reembedded ? [describeReembedding(reembedded)] : []), ...(result ? [describeIndexing(result)] : [])],
    },
  );
  if (result && result.failed.length > 0) return FAILURE;
  const none = result ? isEmpty(result) : reembedded?.files === 0;
  return none ? NO_RESULTS : SUCCESS;
}

function indexFiles(folder: string, options: IndexCommandOptions): Promise<IndexFolderResult> {
  return withEngine(options, { create: true }, async (engine) => {
    const { ignore, tag: tags, verify } = options;
    const result = await indexWithProgress(engine, folder, { ignore, tags, verify });
    for (const { key, reason } of result.warnings) say(`${key}: ${reason}`);
    for (const { key, reason } of result.failed) say(`${key} was not indexed: ${reason}`);
    return result;
  });
}

function reembedFiles(options: BotFilesOptions): Promise<ReembedResult> {
  return withProgress((progress) => reembed({ ...engineOptions(options), ...progress }));
}

function check(folder: string | undefined, { reembed, ignore, tag, verify }: IndexCommandOptions): void {
  if (folder !== undefined) {
    checkFolder(folder);
  } else if (!reembed) {
    const message = 'No folder given. Pass the folder to index, or --reembed to re-embed the indexed files.';
    throw new WaymarkError('INVALID_ARGUMENT', message);
  } else if (ignore || tag || verify) {
    const message = '--ignore, --tag and --verify need a folder. Pass the folder to index as well.';
    throw new WaymarkError('INVALID_ARGUMENT', message);
  }
}

/** The engine checks this too, but only once it has created a database. */
function checkFolder(folder: string): void {
  const place = path.resolve(folder);
  const found = statSync(place, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  const message = found
    ? `${place} is a file. Pass the folder that contains it.`
    : `Folder ${place} does not exist. Pass a folder of documents.`;
  throw new WaymarkError('FOLDER_MISSING', message);
}
