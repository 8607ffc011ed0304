import type { Subtype } from '../domain/passage.js';
import { contentTypeOf, pipelineOf, prepareFile, readPipeline } from '../indexing/prepare-file.js';
import { asRead } from '../indexing/read-file.js';
import type { FileToPut, PassageToPut } from '../storage/passage-store.js';
import { termsOf } from '../text/terms.js';
import type { BotContext } from './context.js';

/** A file cut again from its stored text. */
export interface CutAgain {
  readonly number: number;
  readonly id: string;
  readonly file: FileToPut;
  /** Whether it has to come out as it is stored; not for one that was cut by another version, or that met a limit. */
  readonly comparable: boolean;
}

interface Row extends Pick<FileToPut, 'key' | 'folder' | 'mtime' | 'indexedAt' | 'pipeline' | 'contentType' | 'text'> {
  readonly number: number;
  readonly id: string;
  readonly warnings: string;
  readonly tags: string;
  readonly metadata: string;
  readonly title: string | null;
}

/** What a text that met the parser's deadline or memory limit was told of; on another day it is parsed. */
const MET_A_LIMIT = /too (intricate|large) to be parsed/;

/** The files of a bot that have a text, but for those left out, one after the other. */
export async function* cutAgain(context: BotContext, leaveOut: ReadonlySet<number>): AsyncGenerator<CutAgain> {
  const { connection, bot } = context;
  const numbers = connection
    .prepare<[number], number>(`SELECT number FROM files JOIN texts ON file = number WHERE +bot = ? ORDER BY number`)
    .pluck()
    .all(bot.number);
  const read = connection.prepare<[number], Row>(
    `SELECT number, id, key, folder, mtime, indexed_at AS indexedAt, pipeline, content_type AS contentType, text, warnings,
       title, metadata, (SELECT json_group_object(key, value) FROM file_tags WHERE file = number) AS tags
     FROM files JOIN texts ON file = number WHERE number = ?`,
  );
  for (const number of numbers) {
    if (leaveOut.has(number)) continue;
    const row = read.get(number);
    if (row) yield { number, id: row.id, ...(await cut(row, context)) };
  }
}

async function cut(row: Row, context: BotContext): Promise<Pick<CutAgain, 'file' | 'comparable'>> {
  const pipeline = readPipeline(row.pipeline);
  if (!pipeline) return { file: asGiven(row, context), comparable: true };
  const { cutting, tags, metadata } = pipeline;
  const contentType = pipeline.contentType ?? contentTypeOf(row.key);
  const origin = {
    ...row,
    tags,
    metadata,
    contentType,
    pipeline: pipelineOf({ tags, metadata, cutting, contentType: pipeline.contentType ?? undefined }),
  };
  const file = await prepareFile(asRead(row.text), origin, context.parserOf(cutting));
  const metALimit = [row.warnings, ...file.warnings].some((warning) => MET_A_LIMIT.test(warning));
  return { file, comparable: pipeline.isCurrent && !metALimit };
}

/** Passages that a caller cut are taken as they are; their postings and embedded texts follow from them. */
function asGiven(row: Row, { connection }: BotContext): FileToPut {
  const passages = connection
    .prepare<[number], Omit<PassageToPut, 'breadcrumb' | 'text' | 'postings'> & { subtype: Subtype }>(
      `SELECT position, start, "end", start_line AS startLine, end_line AS endLine, subtype, length, page
       FROM passages WHERE +file = ? ORDER BY position`,
    )
    .all(row.number);
  return {
    ...asRead(row.text),
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
