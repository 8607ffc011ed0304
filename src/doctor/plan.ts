import path from 'node:path';
import { contentTypeOf, pipelineOf, prepareFile, readPipeline } from '../indexing/prepare-file.js';
import { readUtf8 } from '../indexing/read-file.js';
import type { FileToPut } from '../storage/passage-store.js';
import type { BotContext } from './context.js';
import { cutAgain } from './cut-again.js';
import { embeddingsOf } from './embeddings.js';
import { compareWithTexts } from './examine-bot.js';
import { type DamagedFile, damagedFiles } from './files.js';
import { filesOfDamagedPassages } from './passages.js';

/** How the damaged files of a bot are mended; their passages and postings are made again from these. */
export interface Plan {
  readonly context: BotContext;
  /** Sound texts, cut again. */
  readonly recut: ReadonlyMap<number, FileToPut>;
  /** Read again from their folders, in place of damaged ones. */
  readonly reread: ReadonlyMap<number, FileToPut>;
  /** Nowhere to be had again. */
  readonly lost: readonly DamagedFile[];
}

/** Terms of the files that stay as they are, for postings to be made of: kept on disk, since they are as long as the texts. */
export const TERMS = 'temp.repair_terms';

/** What there is to be done for a bot; undefined where its files, passages and postings are sound. */
export async function planFor(
  context: BotContext,
  { damagedPostings }: { damagedPostings: boolean },
): Promise<Plan | undefined> {
  const { connection } = context;
  const files = damagedFiles(context).damaged.filter(({ part, withdrawn }) => part !== 'content' && !withdrawn);
  const compared = await compareWithTexts(context);
  // Without the model that it was cut for no text can be cut again.
  if (!compared) return undefined;
  const wrong = new Set([
    ...filesOfDamagedPassages(context).damaged,
    ...compared.otherwise,
    ...filesEmbeddedWrong(context),
  ]);
  const { postings } = compared;
  const isSound =
    !damagedPostings && postings.wrong === 0 && postings.drift === undefined && postings.unreadable === undefined;
  if (isSound && files.length === 0 && wrong.size === 0) return undefined;

  const recut = new Map<number, FileToPut>();
  const keep = connection.prepare(`INSERT INTO ${TERMS} (file, position, breadcrumb, text) VALUES (?, ?, ?, ?)`);
  const unsound = new Set(
    damagedFiles(context)
      .damaged.filter(({ part }) => part !== 'content')
      .map(({ number }) => number),
  );
  for await (const { number, file, comparable } of cutAgain(context, unsound)) {
    if (wrong.has(number) || !comparable) recut.set(number, file);
    else
      for (const { position, postings } of file.passages)
        keep.run(number, position, postings.breadcrumb, postings.text);
  }
  const reread = new Map<number, FileToPut>();
  const lost: DamagedFile[] = [];
  for (const file of files) {
    const again = await readAgain(file, context, unsound);
    if (again) reread.set(file.number, again);
    else lost.push(file);
  }
  return { context, recut, reread, lost };
}

/** Numbers of the bot's files with a passage whose embedding is damaged. */
function filesEmbeddedWrong(context: BotContext): number[] {
  const { damaged } = embeddingsOf(context);
  return context.connection
    .prepare<[number, string], number>(
      `SELECT DISTINCT file FROM passages JOIN files ON files.number = +file
       WHERE +bot = ? AND +embedding IN (SELECT value FROM json_each(?))`,
    )
    .pluck()
    .all(context.bot.number, JSON.stringify(damaged));
}

/** A folder's file as it is there now; undefined where it is not there, is no text, or how it was cut is not known. */
async function readAgain(
  file: DamagedFile,
  context: BotContext,
  unsound: ReadonlySet<number>,
): Promise<FileToPut | undefined> {
  const { key, folder } = file;
  const pipeline = readPipeline(soundPipeline(file, context, unsound) ?? '');
  if (folder === null || !pipeline) return undefined;
  const { cutting, tags, metadata } = pipeline;
  const place = path.resolve(path.dirname(context.file), folder, key);
  const contentType = contentTypeOf(key);
  const origin = { key, folder, mtime: null, indexedAt: Date.now(), tags, metadata, contentType };
  try {
    const read = await readUtf8(place);
    return await prepareFile(
      read,
      { ...origin, pipeline: pipelineOf({ tags, metadata, cutting }) },
      context.parserOf(cutting),
    );
  } catch {
    // It is told of as lost: for the repair it is the same whether it is gone or cannot be read.
    return undefined;
  }
}

/** A folder's files have one pipeline: where a file's own row is damaged, that of another is taken. */
function soundPipeline(
  { number, folder, part }: DamagedFile,
  { connection, bot }: BotContext,
  unsound: ReadonlySet<number>,
): string | undefined {
  if (part === 'text') {
    return connection.prepare<[number], string>(`SELECT pipeline FROM files WHERE number = ?`).pluck().get(number);
  }
  // Without a time it is a text that was given in place of the folder's, with a pipeline of its own.
  return connection
    .prepare<[number, string | null, string], string>(
      `SELECT pipeline FROM files WHERE +bot = ? AND folder IS ? AND mtime IS NOT NULL
         AND number NOT IN (SELECT value FROM json_each(?)) LIMIT 1`,
    )
    .pluck()
    .get(bot.number, folder, JSON.stringify([...unsound]));
}
