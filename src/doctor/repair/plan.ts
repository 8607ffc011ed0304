import path from 'node:path';
import { formats } from '../../formats/formats.js';
import { FolderMap, prefixOf } from '../../indexing/folder/folder-map.js';
import { tagger } from '../../indexing/folder/tagger.js';
import { pipelineOf, readPipeline } from '../../indexing/pipeline.js';
import { prepareFile } from '../../indexing/prepare-file.js';
import { readText } from '../../indexing/read-file.js';
import { SqliteFolders } from '../../sqlite/files/sqlite-folders.js';
import type { FileToPut } from '../../storage/passage-store.js';
import { inspectEmbeddings } from '../checks/embeddings.js';
import type { DamagedFile } from '../checks/files.js';
import type { BotContext } from '../context.js';
import { inspectBot } from '../inspect-bot.js';
import { recutFiles } from '../recut-files.js';

/** A damaged file, as it is in its folder now. */
export interface Reread {
  readonly damaged: DamagedFile;
  readonly file: FileToPut;
}

/** How the files of a bot are repaired. Its postings are rebuilt from these and from `TERMS`. */
export interface Plan {
  readonly context: BotContext;
  /** Files with an intact text, cut again, by row number. */
  readonly recut: ReadonlyMap<number, FileToPut>;
  /** Damaged files, read again from their folders. */
  readonly reread: readonly Reread[];
  /** Damaged files that cannot be restored. */
  readonly lost: readonly DamagedFile[];
}

/** The terms of intact files, to rebuild postings from: on disk, since together they are as long as the texts. */
export const TERMS = 'temp.repair_terms';

/** Plans the repair of a bot; undefined if its files, passages and postings are intact or their model is missing. */
export async function planFor(
  context: BotContext,
  { hasDamagedPostings }: { readonly hasDamagedPostings: boolean },
): Promise<Plan | undefined> {
  const { files, passages, postings, texts } = await inspectBot(context);
  if (!texts) return undefined;
  const damaged = files.damaged.filter(({ part }) => part !== 'upload');
  const toRestore = damaged.filter(({ isExcluded }) => !isExcluded);
  const toRecut = new Set([...passages.damagedFiles, ...texts.files, ...filesWithDamagedEmbedding(context)]);
  const arePostingsIntact = !hasDamagedPostings && postings.fault === undefined && texts.postings === 0;
  if (arePostingsIntact && toRestore.length === 0 && toRecut.size === 0) return undefined;

  const unreadable = new Set(damaged.map(({ number }) => number));
  const recut = await recutAll(context, { toRecut, unreadable });
  const reread: Reread[] = [];
  const lost: DamagedFile[] = [];
  for (const one of toRestore) {
    const file = await readAgain(context, one, unreadable);
    if (file) reread.push({ damaged: one, file });
    else lost.push(one);
  }
  return { context, recut, reread, lost };
}

/** Cuts all readable files: returns those to replace, and keeps the terms of the others. */
async function recutAll(
  context: BotContext,
  { toRecut, unreadable }: { readonly toRecut: ReadonlySet<number>; readonly unreadable: ReadonlySet<number> },
): Promise<Map<number, FileToPut>> {
  const recut = new Map<number, FileToPut>();
  const keepTerms = context.connection.prepare(
    `INSERT INTO ${TERMS} (file, position, breadcrumb, text) VALUES (?, ?, ?, ?)`,
  );
  for await (const { number, file, isComparable } of recutFiles(context, { except: unreadable })) {
    if (toRecut.has(number) || !isComparable) {
      recut.set(number, file);
      continue;
    }
    for (const { position, postings } of file.passages) {
      keepTerms.run(number, position, postings.breadcrumb, postings.text);
    }
  }
  return recut;
}

function filesWithDamagedEmbedding(context: BotContext): number[] {
  const { damaged } = inspectEmbeddings(context);
  return context.connection
    .prepare<[number, string], number>(
      `SELECT DISTINCT file FROM passages JOIN files ON files.number = +file
       WHERE +bot = ? AND +embedding IN (SELECT value FROM json_each(?))`,
    )
    .pluck()
    .all(context.bot.number, JSON.stringify(damaged));
}

/** Reads a file from its folder again; undefined if it is missing, is not a text, or its settings are not known. */
async function readAgain(
  context: BotContext,
  file: DamagedFile,
  unreadable: ReadonlySet<number>,
): Promise<FileToPut | undefined> {
  const { key, folder } = file;
  const pipeline = readPipeline(intactPipeline(context, file, unreadable) ?? '');
  if (folder === null || !pipeline) return undefined;
  const { cutting, metadata } = pipeline;
  const folders = await new SqliteFolders(context.connection, context.bot.number).list();
  const known = folders.find((one) => one.folder === folder);
  // Other files of the folder may have other tags.
  const tags = known ? tagger(known)(key.slice(prefixOf(known.name).length)) : pipeline.tags;
  const origin = {
    key,
    folder,
    mtime: null,
    ctime: null,
    inode: null,
    indexedAt: Date.now(),
    tags,
    metadata,
    format: formats.ofText({ key }),
    pipeline: pipelineOf({ key, tags, metadata, cutting }),
  };
  try {
    const parser = context.parserOf(cutting);
    const place = new FolderMap(folders, path.dirname(context.connection.file)).pathIn(folder, key);
    const read = await readText(place, { format: origin.format, parser });
    return await prepareFile(read, origin, { parser });
  } catch {
    // The file is reported as lost, whether it is gone or cannot be read.
    return undefined;
  }
}

/** The pipeline of a file; if its own record is damaged, that of another file of the folder, which was cut alike. */
function intactPipeline(
  { connection, bot }: BotContext,
  { number, folder, part }: DamagedFile,
  unreadable: ReadonlySet<number>,
): string | undefined {
  if (part === 'text') {
    return connection.prepare<[number], string>(`SELECT pipeline FROM files WHERE number = ?`).pluck().get(number);
  }
  // A file without a time was given in place of the folder's file, with settings of its own.
  return connection
    .prepare<[number, string | null, string], string>(
      `SELECT pipeline FROM files WHERE +bot = ? AND folder IS ? AND mtime IS NOT NULL
         AND number NOT IN (SELECT value FROM json_each(?)) LIMIT 1`,
    )
    .pluck()
    .get(bot.number, folder, JSON.stringify([...unreadable]));
}
