import { counted } from '../../contract/wording.js';
import type { Cell } from '../../sqlite/connection/checksums.js';
import { embeddingHash } from '../../sqlite/embeddings/stored-vector.js';
import { PASSAGE, type PassageRow, passageChecksum } from '../../sqlite/passages/passage-row.js';
import type { BotContext } from '../context.js';
import { be, listed } from '../describe.js';
import { type Finding, REPAIR } from '../finding.js';
import type { RecutFile } from '../recut-files.js';

/** The state of a bot's passages. */
export interface PassagesState {
  readonly count: number;
  /** Row numbers of the files with a damaged or missing passage. */
  readonly damagedFiles: ReadonlySet<number>;
  /** The number of passages that an earlier version wrote without a checksum. */
  readonly withoutChecksum: number;
}

/** Compares the passages of a bot with their checksums, and looks for gaps in their positions. */
export function inspectPassages({ connection, bot }: BotContext): PassagesState {
  const rows = connection
    .prepare<[number], PassageRow>(
      `SELECT ${PASSAGE} FROM passages WHERE +file IN (SELECT number FROM files WHERE +bot = ?)`,
    )
    .iterate(bot.number);
  const damagedFiles = new Set<number>();
  let [count, withoutChecksum] = [0, 0];
  for (const row of rows) {
    count++;
    if (row.checksum === null) withoutChecksum++;
    else if (row.checksum !== passageChecksum(row)) damagedFiles.add(row.file);
  }
  const withGaps = connection
    .prepare<[number], number>(
      `SELECT file FROM passages JOIN files ON files.number = +file WHERE +bot = ?
       GROUP BY file HAVING min(position) <> 0 OR max(position) <> count(*) - 1`,
    )
    .pluck()
    .all(bot.number);
  for (const file of withGaps) damagedFiles.add(file);
  return { count, damagedFiles, withoutChecksum };
}

/** Whether the stored passages of a file are those that its text was cut into just now. */
export function matchesStoredPassages({ connection, recorded }: BotContext, { number, file }: RecutFile): boolean {
  const stored = connection
    .prepare<[number], Cell[]>(
      `SELECT position, start, "end", start_line, end_line, breadcrumb, subtype, passages.length, page, opening,
         closing, hash
       FROM passages LEFT JOIN embeddings ON embeddings.number = +embedding WHERE file = ? ORDER BY position`,
    )
    .raw()
    .all(number);
  const expected = file.passages.map((passage) => [
    passage.position,
    passage.start,
    passage.end,
    passage.startLine,
    passage.endLine,
    JSON.stringify(passage.breadcrumb),
    passage.subtype,
    passage.length,
    passage.page ?? null,
    passage.opening ?? null,
    passage.closing ?? null,
    embeddingHash(recorded?.fingerprint ?? '', passage.text),
  ]);
  return JSON.stringify(stored) === JSON.stringify(expected);
}

/** `differing`: files whose text is cut into other passages now; undefined if the texts could not be cut. */
export function checkPassages(
  { connection, bot }: BotContext,
  { count, damagedFiles, withoutChecksum }: PassagesState,
  differing: readonly number[] | undefined,
): Finding {
  const about = { check: 'passages', bot: bot.name } as const;
  const damaged = new Set([...damagedFiles, ...(differing ?? [])]);
  if (damaged.size > 0) {
    const keys = connection
      .prepare<[string], string>(`SELECT key FROM files WHERE number IN (SELECT value FROM json_each(?)) ORDER BY key`)
      .pluck()
      .all(JSON.stringify([...damaged]));
    return { ...about, state: 'damaged', message: `The passages of ${listed(keys)} are damaged.`, remedy: REPAIR };
  }
  if (withoutChecksum > 0) {
    const share = `${withoutChecksum} of ${counted(count, 'passage')} ${be(withoutChecksum)}`;
    const message = `${share} without a checksum, from an earlier version.`;
    return { ...about, state: 'warning', message, remedy: REPAIR };
  }
  if (!differing) {
    const message = 'The passages match their checksums; comparing them with the texts requires their model.';
    return { ...about, state: 'warning', message, remedy: 'do what the check of the model says' };
  }
  return { ...about, state: 'ok', message: 'The passages match the texts.' };
}
