import path from 'node:path';
import { importPeer } from '../../peers/install.js';
import { bucketOf } from '../buckets.js';
import { bytesOf, readVectors } from '../vector-file.js';
import type { Contender, Place } from './contender.js';

/** What is used of better-sqlite3 and of sqlite-vec. */
interface Sqlite {
  readonly default: new (file: string) => Database;
}

interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  transaction(work: () => void): () => void;
  close(): void;
}

interface Statement {
  run(...values: unknown[]): void;
  pluck(): Statement;
  all(...values: unknown[]): number[];
}

interface SqliteVec {
  load(database: Database): void;
}

/** A vec0 table with the bucket as metadata. For unit vectors, the order by L2 distance is that by cosine. */
export const sqliteVec: Contender = {
  async build(place) {
    const database = await openDatabase(place);
    const { vectors } = place;
    database.exec(`CREATE VIRTUAL TABLE vectors USING vec0(embedding float[${vectors.dimensions}], bucket integer)`);
    const insert = database.prepare('INSERT INTO vectors (rowid, embedding, bucket) VALUES (?, ?, ?)');
    database.transaction(() => {
      let id = 0;
      for (const vector of readVectors(vectors)) insert.run(BigInt(id), bytesOf(vector), BigInt(bucketOf(id++)));
    })();
    database.close();
    return {};
  },
  async open(place) {
    const database = await openDatabase(place);
    const nearest = 'SELECT rowid FROM vectors WHERE embedding MATCH ? AND k = ?';
    const all = database.prepare(`${nearest} ORDER BY distance`).pluck();
    const some = database.prepare(`${nearest} AND bucket < ? ORDER BY distance`).pluck();
    return {
      settings: ['exact'],
      use() {},
      filters: true,
      async search(query, { limit, below }) {
        return below === undefined ? all.all(bytesOf(query), limit) : some.all(bytesOf(query), limit, below);
      },
      async close() {
        database.close();
      },
    };
  },
};

async function openDatabase({ folder }: Place): Promise<Database> {
  const { default: Database } = await importPeer<Sqlite>('better-sqlite3');
  const { load } = await importPeer<SqliteVec>('sqlite-vec');
  const database = new Database(path.join(folder, 'vectors.db'));
  load(database);
  return database;
}
