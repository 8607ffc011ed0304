import type { Connection } from '../../sqlite/connection/connection.js';
import { crc32 } from '../../sqlite/connection/crc32.js';

/** By passage: its length as FTS5 stores it, and an order-independent sum over its terms and their places. */
export type PostingDigests = ReadonlyMap<number, string>;

/** Reads all of a posting table. Throws SQLite's error for a damaged one. */
export function readPostings(
  connection: Connection,
  { schema, table }: { readonly schema: 'main' | 'temp'; readonly table: string },
): PostingDigests {
  connection.exec(`CREATE VIRTUAL TABLE temp.instances USING fts5vocab(${schema}, ${table}, instance)`);
  try {
    const sums = new Map<number, number>();
    const terms = connection
      .prepare<[], [term: string, passage: number, column: string, offset: number]>(
        `SELECT term, doc, col, "offset" FROM temp.instances`,
      )
      .raw();
    for (const [term, passage, column, offset] of terms.iterate()) {
      sums.set(passage, (sums.get(passage) ?? 0) + crc32(`${term}\0${column}\0${offset}`));
    }
    const digests = new Map<number, string>();
    const lengths = connection
      .prepare<[], [passage: number, length: string]>(`SELECT id, hex(sz) FROM ${schema}.${table}_docsize`)
      .raw();
    for (const [passage, length] of lengths.iterate()) {
      digests.set(passage, `${length} ${sums.get(passage) ?? 0}`);
      sums.delete(passage);
    }
    for (const [passage, sum] of sums) digests.set(passage, `no length ${sum}`);
    return digests;
  } finally {
    connection.exec(`DROP TABLE temp.instances`);
  }
}
