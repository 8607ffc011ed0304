import Sqlite from 'better-sqlite3';
import type { Connection } from '#src/sqlite/connection/connection.js';
import { ChangeLog } from '#src/sqlite/embeddings/change-log.js';
import { Snapshots } from '#src/sqlite/embeddings/snapshots.js';
import { VectorCache } from '#src/sqlite/embeddings/vector-cache.js';
import type { PassageStore } from '#src/storage/passage-store.js';
import type { IndexKind } from '#src/vectors/vector-index.js';
import { at, fileToPut, putNow } from '../../support/file-to-put.js';
import { type OpenStore, storeOf } from '../../support/store.js';
import { clustered } from '../../vectors/clustered.js';

/** A store with an HNSW graph over clustered vectors; the nearest passage to `vectors[n]` has the id n + 1. */
export async function clusteredStore(
  count: number,
  dimensions: number,
): Promise<OpenStore & { vectors: Float32Array[] }> {
  const opened = await storeOf({ kind: 'hnsw', dimensions });
  const vectors = clustered(count, { dimensions, seed: 1 });
  await putNow(opened.store, fileToPut('a.md', Array.from(vectors.keys(), String)));
  const texts = await opened.store.pending({ after: 0, limit: 9999 });
  await opened.store.putEmbeddings(texts.map(({ id, text }) => ({ id, embedding: vectors[Number(text)] ?? at(0) })));
  return { ...opened, vectors };
}

/** Ids of the passages nearest to a vector, nearest first. */
export async function nearest(store: PassageStore, vector: Float32Array, limit: number): Promise<number[]> {
  const { candidates } = await store.retrieve({ embedding: Promise.resolve(vector), limit });
  return [...candidates].sort((a, b) => b.cosine - a.cosine).map(({ id }) => id);
}

/** The vector cache of the first bot, as opening a store creates it. */
export function vectorCacheOf(
  connection: Connection,
  { kind, dimensions = 2 }: { kind: IndexKind; dimensions?: number },
): VectorCache {
  const [log, snapshots] = [new ChangeLog(connection, 1), new Snapshots(connection, 1)];
  return new VectorCache({ log, snapshots, model: 1, dimensions, kind, warn: () => {} });
}

/** The row of the stored snapshot, with the newest change and the number of stored parts. */
export function snapshotIn(file: string): unknown {
  const database = new Sqlite(file, { readonly: true });
  const row = database
    .prepare(
      `SELECT bot, sequence, (SELECT max(sequence) FROM changes WHERE changes.bot = snapshots.bot) AS newest, parts,
              (SELECT count(*) FROM snapshot_parts) AS stored FROM snapshots`,
    )
    .get();
  database.close();
  return row;
}
