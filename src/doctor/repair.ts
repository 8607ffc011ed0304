import { WaymarkError } from '../domain/errors.js';
import {
  type Cell,
  embeddingChecksum,
  PASSAGE_SUMMED,
  rowChecksum,
  updateChecksum,
} from '../sqlite/connection/checksums.js';
import type { Connection } from '../sqlite/connection/connection.js';
import { Embeddings } from '../sqlite/embeddings/embeddings.js';
import { Files } from '../sqlite/files/files.js';
import { PassageWriter } from '../sqlite/passages/passage-writer.js';
import { createPostings } from '../sqlite/postings/posting-table.js';
import { Postings } from '../sqlite/postings/postings.js';
import { checkChanges } from './changes.js';
import type { BotContext, DoctorContext } from './context.js';
import { embeddingsOf } from './embeddings.js';
import { counted, named } from './finding.js';
import { type Plan, planFor, TERMS } from './plan.js';
import { checkSnapshot } from './snapshot.js';
import { structureOf } from './structure.js';

/**
 * Makes again what can be made again: passages and postings from the texts, texts from their folders; embeddings become
 * pending. In one transaction, at whose end SQLite has to find everything in order. What was done, a sentence each.
 */
export async function repairAll(context: DoctorContext, bots: readonly BotContext[]): Promise<string[]> {
  const { connection } = context;
  const version = () => connection.pragma('data_version');
  const before = version();
  const structure = structureOf(connection);
  connection.exec(`DROP TABLE IF EXISTS ${TERMS};
    CREATE TABLE ${TERMS} (file INTEGER, position INTEGER, breadcrumb TEXT, text TEXT, PRIMARY KEY (file, position))`);
  const plans: Plan[] = [];
  for (const bot of bots) {
    const damagedPostings = structure.postings.includes(`postings_${bot.bot.number}`);
    const plan = await planFor(bot, { damagedPostings });
    if (plan) plans.push(plan);
  }
  const done: string[] = [];
  // Indexes may be damaged: rows are removed without asking them, and then they are made again.
  const repair = () => {
    if (version() !== before) throw changedMeanwhile(context.file);
    done.push(...removeDamaged(context, plans));
    if (structure.indexes.length > 0 || structure.values.length > 0) done.push('Made the indexes of the tables again.');
    for (const plan of plans) done.push(...makeAgain(plan));
    done.push(...tidy(context, bots, plans));
    const { malformed, indexes, values, strays, postings } = structureOf(connection);
    const left = [...malformed, ...indexes, ...values, ...strays, ...postings];
    if (left.length > 0) throw beyondRepair(context.file, left);
  };
  try {
    connection.unsafely(() => connection.write(repair));
  } finally {
    connection.exec(`DROP TABLE IF EXISTS ${TERMS}`);
  }
  return done;
}

/** Takes out all rows that are damaged, or hang on what is. */
function removeDamaged(context: DoctorContext, plans: readonly Plan[]): string[] {
  const { connection } = context;
  const replaced = plans.flatMap(({ recut, reread, lost }) => [
    ...recut.keys(),
    ...reread.keys(),
    ...lost.map(({ number }) => number),
  ]);
  const { damaged } = embeddingsOf(context);
  connection.pragma('defer_foreign_keys = ON');
  connection.pragma('writable_schema = ON');
  const strays = connection.prepare(`DELETE FROM passages WHERE +file NOT IN (SELECT number FROM files)`).run().changes;
  connection
    .prepare(`DELETE FROM passages WHERE +file IN (SELECT value FROM json_each(?))`)
    .run(JSON.stringify(replaced));
  const removed = connection
    .prepare(
      `DELETE FROM embeddings WHERE number IN (SELECT value FROM json_each(?))
         AND number NOT IN (SELECT +embedding FROM passages)
         AND number NOT IN (SELECT +embedding FROM staged_passages)`,
    )
    .run(JSON.stringify(damaged)).changes;
  for (const table of ['texts', 'file_tags', 'contents', 'uploads']) {
    connection.exec(`DELETE FROM ${table} WHERE +file NOT IN (SELECT number FROM files)`);
  }
  connection.exec(`DELETE FROM unused WHERE +embedding NOT IN (SELECT number FROM embeddings)`);
  connection.pragma('writable_schema = OFF');
  for (const table of ['passages', 'embeddings', 'changes', 'files', 'file_tags']) connection.exec(`REINDEX ${table}`);
  return [
    ...(removed > 0 ? [`Removed ${counted(removed, 'damaged embedding')}.`] : []),
    ...(strays > 0 ? [`Removed ${counted(strays, 'passage')} of no file.`] : []),
  ];
}

/** A bot's damaged passages and all its postings. */
function makeAgain({ context, recut, reread, lost }: Plan): string[] {
  const { connection, bot, recorded } = context;
  const table = `postings_${bot.number}`;
  dropPostings(connection, table);
  const done = [`Made the postings of bot "${bot.name}" again.`];
  if (!recorded) return done;
  const embeddings = new Embeddings(connection, { bot: bot.number, model: recorded });
  const postings = new Postings(connection, bot.number);
  const files = new Files(connection, bot.number);
  const passages = new PassageWriter(connection, { embeddings, postings });
  for (const [number, file] of recut) {
    const { id } = connection.prepare(`SELECT id FROM files WHERE number = ?`).get(number) as { id: string };
    connection.prepare(`UPDATE files SET pipeline = ? WHERE number = ?`).run(file.pipeline, number);
    updateChecksum(connection, number);
    passages.replace({ number, id }, file.passages);
  }
  for (const [number, file] of reread) {
    // The row may be damaged, too: the file is made anew.
    connection.prepare(`DELETE FROM files WHERE number = ?`).run(number);
    passages.replace(files.put(file), file.passages);
  }
  // Without hash and time it is taken for another when it is given again, or its folder is indexed.
  for (const { number, part } of lost) {
    connection.prepare(`UPDATE files SET hash = '', mtime = NULL WHERE number = ?`).run(number);
    if (part === 'text') updateChecksum(connection, number);
  }
  connection.exec(
    `INSERT INTO ${table} (rowid, breadcrumb, text)
     SELECT number, terms.breadcrumb, terms.text FROM ${TERMS} AS terms JOIN passages USING (file, position)
     WHERE file IN (SELECT number FROM files WHERE bot = ${bot.number})`,
  );
  postings.recount();
  const keysOf = (changed: ReadonlyMap<number, { key: string }>) => named([...changed.values()].map(({ key }) => key));
  if (recut.size > 0) done.push(`Made the passages of ${keysOf(recut)} again, from the stored text.`);
  if (reread.size > 0) done.push(`Read ${keysOf(reread)} again, from the folder.`);
  if (lost.length > 0) done.push(`Took ${named(lost.map(({ key }) => key))} out of the index: index it again.`);
  return done;
}

/** Its own numbers may be damaged, without which FTS5 does not even let a table be removed. */
function dropPostings(connection: Connection, table: string): void {
  const exists = connection.prepare(`SELECT 1 FROM sqlite_schema WHERE name = ?`).get(table);
  if (exists) {
    const version = connection.prepare<[], number>(`SELECT v FROM ${table}_config WHERE k = 'version'`).pluck().get();
    if (version !== FTS5_VERSION) {
      connection.exec(`DELETE FROM ${table}_config; INSERT INTO ${table}_config VALUES ('version', ${FTS5_VERSION})`);
    }
    connection.exec(`DROP TABLE ${table}`);
  }
  connection.exec(createPostings(table));
}

/** Of the format in which FTS5 stores. */
const FTS5_VERSION = 4;

/** Logs, counters, snapshots, and checksums that there were none of. */
function tidy(context: DoctorContext, bots: readonly BotContext[], plans: readonly Plan[]): string[] {
  const { connection } = context;
  const done: string[] = [];
  const isLogDamaged = checkChanges(context).state === 'damaged';
  if (isLogDamaged) {
    connection.exec(`DELETE FROM changes`);
    for (const [table, column] of [
      ['passages', 'number'],
      ['embeddings', 'number'],
      ['changes', 'sequence'],
    ]) {
      connection
        .prepare(`UPDATE sqlite_sequence SET seq = (SELECT coalesce(max(${column}), 0) FROM ${table}) WHERE name = ?`)
        .run(table);
    }
    done.push('Began the log of changes anew.');
  }
  for (const bot of bots) {
    const { number } = bot.bot;
    const isPlanned = plans.some(({ context }) => context === bot);
    if (isPlanned || isLogDamaged) {
      // Whoever has an index in memory no longer finds its place in the log, and loads all again.
      connection.prepare(`DELETE FROM changes WHERE bot = ?`).run(number);
      connection.prepare(`INSERT INTO changes (bot, passage, embedded) VALUES (?, 0, 0)`).run(number);
    }
    if (isPlanned || checkSnapshot(bot).state === 'damaged') {
      const { changes } = connection.prepare(`DELETE FROM snapshots WHERE bot = ?`).run(number);
      connection.prepare(`DELETE FROM snapshot_parts WHERE bot = ?`).run(number);
      if (changes > 0)
        done.push(`Dropped the HNSW snapshot of bot "${bot.bot.name}": it is made again when it is needed.`);
    }
  }
  const orphans = embeddingsOf(context).orphans;
  connection
    .prepare(`DELETE FROM embeddings WHERE number IN (SELECT value FROM json_each(?))`)
    .run(JSON.stringify(orphans));
  if (orphans.length > 0) done.push(`Removed ${counted(orphans.length, 'embedding')} of no passage.`);
  const sealed = sealAll(connection);
  if (sealed > 0) done.push(`Gave ${counted(sealed, 'row')} their checksums.`);
  return done;
}

/** Gives checksums to the rows that were written before there were any; how many. */
function sealAll(connection: Connection): number {
  const files = connection.prepare<[], number>(`SELECT number FROM files WHERE checksum IS NULL`).pluck().all();
  for (const number of files) updateChecksum(connection, number);
  const passages = connection
    .prepare<[], Cell[]>(`SELECT number, ${PASSAGE_SUMMED} FROM passages WHERE checksum IS NULL`)
    .raw()
    .all() as Cell[][];
  const sealPassage = connection.prepare(`UPDATE passages SET checksum = ? WHERE number = ?`);
  for (const [number, ...summed] of passages) sealPassage.run(rowChecksum(summed), number);
  const embeddings = connection
    .prepare<[], number>(`SELECT number FROM embeddings WHERE vector IS NOT NULL AND checksum IS NULL`)
    .pluck()
    .all();
  const read = connection.prepare<[number], { hash: string; vector: Buffer }>(
    `SELECT hash, vector FROM embeddings WHERE number = ?`,
  );
  const sealEmbedding = connection.prepare(`UPDATE embeddings SET checksum = ? WHERE number = ?`);
  for (const number of embeddings) {
    const row = read.get(number);
    if (row) sealEmbedding.run(embeddingChecksum(row.hash, row.vector), number);
  }
  return files.length + passages.length + embeddings.length;
}

function changedMeanwhile(file: string): WaymarkError {
  const message = `Another process changed ${file} while it was examined: end that one, then repair again.`;
  return new WaymarkError('DATABASE_UNWRITABLE', message);
}

function beyondRepair(file: string, left: readonly string[]): WaymarkError {
  const message = `${file} cannot be mended (${named(left)}) and was left as it was: index again into a new file, with --database.`;
  return new WaymarkError('DATABASE_DAMAGED', message);
}
