import { assertNotAborted } from '../domain/abortable.js';
import type { Subtype } from '../domain/passage.js';
import { formats } from '../formats/formats.js';
import { fromText } from '../indexing/file-text.js';
import { pipelineOf, readPipeline } from '../indexing/pipeline.js';
import { prepareFile } from '../indexing/prepare-file.js';
import { storedParts, wholeText } from '../sqlite/texts/text-parts.js';
import type { FileToPut, PassageToPut } from '../storage/passage-store.js';
import { termsOf } from '../text/terms.js';
import type { BotContext } from './context.js';

/** A file that was cut again from its stored text. */
export interface RecutFile {
  readonly number: number;
  readonly id: string;
  readonly file: FileToPut;
  /** Whether the result must equal what is stored: not if another version cut the file, or if cutting met a limit. */
  readonly isComparable: boolean;
}

interface Row
  extends Pick<
    FileToPut,
    'key' | 'folder' | 'mtime' | 'ctime' | 'inode' | 'indexedAt' | 'pipeline' | 'contentType' | 'hash' | 'text'
  > {
  readonly number: number;
  readonly id: string;
  readonly warnings: string;
  readonly tags: string;
  readonly metadata: string;
  readonly title: string | null;
}

/** Cuts the files of a bot that have a text, one after the other. `except` lists row numbers. Throws `ABORTED`. */
export async function* recutFiles(
  context: BotContext,
  { except }: { readonly except: ReadonlySet<number> },
): AsyncGenerator<RecutFile> {
  const { connection, bot } = context;
  const numbers = connection
    .prepare<[number], number>(`SELECT number FROM files JOIN texts ON file = number WHERE +bot = ? ORDER BY number`)
    .pluck()
    .all(bot.number);
  const read = connection.prepare<[number], Omit<Row, 'text'>>(
    `SELECT number, id, key, folder, mtime, ctime, inode, indexed_at AS indexedAt, pipeline,
       content_type AS contentType, hash, warnings, title, metadata,
       (SELECT json_group_object(key, value) FROM file_tags WHERE file = number) AS tags
     FROM files WHERE number = ?`,
  );
  for (const number of numbers) {
    assertNotAborted(context.signal);
    if (except.has(number)) continue;
    const row = read.get(number);
    const text = row ? wholeText(storedParts(connection, number), row.hash) : undefined;
    if (row && typeof text === 'string') yield { number, id: row.id, ...(await recut({ ...row, text }, context)) };
  }
}

async function recut(row: Row, context: BotContext): Promise<Pick<RecutFile, 'file' | 'isComparable'>> {
  const pipeline = readPipeline(row.pipeline);
  if (!pipeline) return { file: await withStoredPassages(row, context), isComparable: true };
  const { cutting, tags, metadata } = pipeline;
  const contentType = pipeline.contentType ?? undefined;
  const origin = {
    ...row,
    tags,
    metadata,
    format: formats.ofText({ key: row.key, contentType }),
    pipeline: pipelineOf({ key: row.key, tags, metadata, cutting, contentType }),
  };
  const file = await prepareFile(await fromText(row.text), origin, { parser: context.parserOf(cutting) });
  // On a faster machine, or with more memory, the whole file would be parsed.
  const metALimit = pipeline.isUnfinished || readPipeline(file.pipeline)?.isUnfinished === true;
  return { file, isComparable: pipeline.isCurrent && !metALimit };
}

/** A file whose passages a caller set. They are kept: only postings and embedded texts are derived from its text. */
async function withStoredPassages(row: Row, { connection }: BotContext): Promise<FileToPut> {
  const passages = connection
    .prepare<[number], Omit<PassageToPut, 'breadcrumb' | 'text' | 'postings'> & { subtype: Subtype }>(
      `SELECT position, start, "end", start_line AS startLine, end_line AS endLine, subtype, length, page
       FROM passages WHERE +file = ? ORDER BY position`,
    )
    .all(row.number);
  return {
    ...(await fromText(row.text)),
    ...row,
    title: row.title ?? undefined,
    warnings: JSON.parse(row.warnings),
    tags: JSON.parse(row.tags),
    metadata: JSON.parse(row.metadata),
    passages: passages.map((passage) => {
      const text = row.text.slice(passage.start, passage.end);
      return { ...passage, breadcrumb: [], text, postings: { breadcrumb: '', text: termsOf(text).join(' ') } };
    }),
  };
}
