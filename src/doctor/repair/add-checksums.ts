import { embeddingChecksum } from '../../sqlite/connection/checksums.js';
import type { Connection } from '../../sqlite/connection/connection.js';
import { type FileJson, isReadable, sealFile } from '../../sqlite/files/seal-file.js';
import { PASSAGE, type PassageRow, passageChecksum } from '../../sqlite/passages/passage-row.js';

/** Adds checksums to the rows that an earlier version wrote without. Returns how many. */
export function addChecksums(connection: Connection): number {
  return addToFiles(connection) + addToPassages(connection) + addToEmbeddings(connection);
}

function addToFiles(connection: Connection): number {
  const files = connection
    .prepare<[], FileJson & { readonly number: number }>(
      `SELECT number, metadata, warnings, access_policies AS accessPolicies FROM files WHERE checksum IS NULL`,
    )
    .all()
    .filter(isReadable);
  for (const { number } of files) sealFile(connection, number);
  return files.length;
}

function addToPassages(connection: Connection): number {
  const passages = connection.prepare<[], PassageRow>(`SELECT ${PASSAGE} FROM passages WHERE checksum IS NULL`).all();
  const update = connection.prepare(`UPDATE passages SET checksum = ? WHERE number = ?`);
  for (const passage of passages) update.run(passageChecksum(passage), passage.number);
  return passages.length;
}

function addToEmbeddings(connection: Connection): number {
  const embeddings = connection
    .prepare<[], number>(`SELECT number FROM embeddings WHERE vector IS NOT NULL AND checksum IS NULL`)
    .pluck()
    .all();
  const read = connection.prepare<[number], { hash: string; vector: Buffer }>(
    `SELECT hash, vector FROM embeddings WHERE number = ?`,
  );
  const update = connection.prepare(`UPDATE embeddings SET checksum = ? WHERE number = ?`);
  for (const number of embeddings) {
    const row = read.get(number);
    if (row) update.run(embeddingChecksum(row.hash, row.vector), number);
  }
  return embeddings.length;
}
