import type { Connection } from '../../sqlite/connection/connection.js';
import { Embeddings } from '../../sqlite/embeddings/embeddings.js';
import { Files } from '../../sqlite/files/files.js';
import { sealFile } from '../../sqlite/files/seal-file.js';
import { drain } from '../../sqlite/passages/drain.js';
import { PassageWriter } from '../../sqlite/passages/passage-writer.js';
import { createPostings, postingTable } from '../../sqlite/postings/posting-table.js';
import { Postings } from '../../sqlite/postings/postings.js';
import type { FileToPut } from '../../storage/passage-store.js';
import { listed } from '../describe.js';
import { type Plan, TERMS } from './plan.js';

/** The format of a new FTS5 table. */
const FTS5_FORMAT = 4;

/** Rebuilds the damaged files of a bot and all of its postings. Returns a sentence for each step. */
export function rebuildBot({ context, recut, reread, lost }: Plan): string[] {
  const { connection, bot, recorded } = context;
  recreatePostings(connection, bot.number);
  const done = [`Rebuilt the postings of bot "${bot.name}".`];
  // Without a model nothing was indexed yet.
  if (!recorded) return done;
  const postings = new Postings(connection, bot.number);
  const embeddings = new Embeddings(connection, { bot: bot.number, model: recorded });
  const writer = new PassageWriter(connection, { embeddings, postings });
  const files = new Files(connection, bot.number);
  for (const [number, file] of recut) {
    const { id } = connection.prepare(`SELECT id FROM files WHERE number = ?`).get(number) as { id: string };
    connection.prepare(`UPDATE files SET pipeline = ? WHERE number = ?`).run(file.pipeline, number);
    sealFile(connection, number);
    drain(writer.replace({ number, id }, file.passages));
  }
  for (const { damaged, file } of reread) {
    // What only the row holds is kept if it is intact: its id, when it was created, its expiry and access policies.
    if (damaged.part === 'record') connection.prepare(`DELETE FROM files WHERE number = ?`).run(damaged.number);
    drain(writer.replace(drain(files.put(file)), file.passages));
  }
  for (const { number, part } of lost) {
    // Without hash and time the file counts as changed when it is given again or its folder is indexed.
    connection.prepare(`UPDATE files SET hash = '', mtime = NULL WHERE number = ?`).run(number);
    if (part === 'text') sealFile(connection, number);
  }
  connection.exec(
    `INSERT INTO ${postingTable(bot.number)} (rowid, breadcrumb, text)
     SELECT number, terms.breadcrumb, terms.text FROM ${TERMS} AS terms JOIN passages USING (file, position)
     WHERE file IN (SELECT number FROM files WHERE bot = ${bot.number})`,
  );
  postings.recount();
  if (recut.size > 0) done.push(`Rebuilt the passages of ${keysOf(recut.values())} from the stored text.`);
  if (reread.length > 0) done.push(`Read ${keysOf(reread.map(({ file }) => file))} from the folder again.`);
  if (lost.length > 0) done.push(`Excluded ${keysOf(lost)} from search: index it again.`);
  return done;
}

/** Replaces the posting table of a bot by an empty one. */
function recreatePostings(connection: Connection, bot: number): void {
  const table = postingTable(bot);
  connection.prepare(`DELETE FROM posting_totals WHERE bot = ?`).run(bot);
  if (connection.hasTable(table)) {
    // FTS5 refuses to drop a table of a format that it does not know.
    connection.exec(`DELETE FROM ${table}_config; INSERT INTO ${table}_config VALUES ('version', ${FTS5_FORMAT})`);
    connection.exec(`DROP TABLE ${table}`);
  }
  connection.exec(createPostings(table));
}

function keysOf(files: Iterable<Pick<FileToPut, 'key'>>): string {
  return listed(Array.from(files, ({ key }) => key));
}
