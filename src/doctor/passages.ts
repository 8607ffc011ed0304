import { type Cell, PASSAGE_SUMMED, rowChecksum } from '../sqlite/connection/checksums.js';
import { embeddingHash } from '../sqlite/embeddings/stored-vector.js';
import type { BotContext } from './context.js';
import type { CutAgain } from './cut-again.js';
import { counted, type Finding, named, REPAIR } from './finding.js';

/** Numbers of the files with passages that are not as they were written, by their checksums and places. */
export function filesOfDamagedPassages({ connection, bot }: BotContext): {
  damaged: Set<number>;
  withoutChecksum: number;
} {
  const rows = connection
    .prepare<[number], [file: number, bot: number | null, checksum: number | null, ...summed: Cell[]]>(
      `SELECT passages.file, files.bot, passages.checksum, ${PASSAGE_SUMMED}
       FROM passages JOIN files ON files.number = +file WHERE +files.bot = ?`,
    )
    .raw()
    .iterate(bot.number) as IterableIterator<[number, number | null, number | null, ...Cell[]]>;
  const damaged = new Set<number>();
  let withoutChecksum = 0;
  for (const [file, , checksum, ...summed] of rows) {
    if (checksum === null) withoutChecksum++;
    else if (checksum !== rowChecksum(summed)) damaged.add(file);
  }
  const apart = connection
    .prepare<[number], number>(
      `SELECT file FROM passages JOIN files ON files.number = +file WHERE +bot = ?
       GROUP BY file HAVING min(position) <> 0 OR max(position) <> count(*) - 1`,
    )
    .pluck()
    .all(bot.number);
  for (const file of apart) damaged.add(file);
  return { damaged, withoutChecksum };
}

/** Whether the stored passages of a file are those that its text is cut into. */
export function isCutSo({ connection, recorded }: BotContext, { number, file }: CutAgain): boolean {
  const stored = connection
    .prepare<[number], Cell[]>(
      `SELECT position, start, "end", start_line, end_line, breadcrumb, subtype, passages.length, page, hash
       FROM passages LEFT JOIN embeddings ON embeddings.number = +embedding WHERE file = ? ORDER BY position`,
    )
    .raw()
    .all(number);
  const wanted = file.passages.map((passage) => [
    passage.position,
    passage.start,
    passage.end,
    passage.startLine,
    passage.endLine,
    JSON.stringify(passage.breadcrumb),
    passage.subtype,
    passage.length,
    passage.page ?? null,
    embeddingHash(recorded?.fingerprint ?? '', passage.text),
  ]);
  return JSON.stringify(stored) === JSON.stringify(wanted);
}

/** `otherwise`: files that are stored as they are not cut; undefined where they could not be cut again. */
export function checkPassages(context: BotContext, otherwise: readonly number[] | undefined): Finding {
  const about = { check: 'passages', bot: context.bot.name } as const;
  const { damaged, withoutChecksum } = filesOfDamagedPassages(context);
  for (const number of otherwise ?? []) damaged.add(number);
  if (damaged.size > 0) {
    const keys = context.connection
      .prepare<[string], string>(`SELECT key FROM files WHERE number IN (SELECT value FROM json_each(?)) ORDER BY key`)
      .pluck()
      .all(JSON.stringify([...damaged]));
    return { ...about, state: 'damaged', message: `Passages of ${named(keys)} are damaged.`, remedy: REPAIR };
  }
  if (withoutChecksum > 0) {
    const message = `${counted(withoutChecksum, 'passage')} were written before there were checksums.`;
    return { ...about, state: 'warning', message, remedy: REPAIR };
  }
  if (otherwise === undefined) {
    const message =
      'The passages are as they were written; they were not compared with the texts, which takes their model.';
    return { ...about, state: 'warning', message, remedy: 'see what is said of the model' };
  }
  return { ...about, state: 'ok', message: 'The passages are those that the texts are cut into.' };
}
