import path from 'node:path';
import { importPeer } from '../../peers/install.js';
import { bucketOf } from '../buckets.js';
import { readSlices, rowsOf } from '../vector-file.js';
import type { Contender, Place } from './contender.js';

/** What is used of @lancedb/lancedb. */
interface Lance {
  connect(folder: string): Promise<Connection>;
  readonly Index: { ivfPq(options: { distanceType: 'dot' }): object; btree(): object };
}

interface Connection {
  createTable(name: string, rows: object[]): Promise<Table>;
  openTable(name: string): Promise<Table>;
  close(): void;
}

interface Table {
  add(rows: object[]): Promise<unknown>;
  createIndex(column: string, options: { config: object }): Promise<void>;
  query(): { nearestTo(query: Float32Array): Query };
}

interface Query {
  distanceType(type: 'dot'): Query;
  nprobes(count: number): Query;
  refineFactor(factor: number): Query;
  select(columns: string[]): Query;
  limit(limit: number): Query;
  where(condition: string): Query;
  toArray(): Promise<{ readonly id: number | bigint }[]>;
}

/** Partitions to probe, and how many times the limit is read to be scored exactly. */
const SETTINGS = [
  { probes: 20, refine: 1 },
  { probes: 20, refine: 10 },
  { probes: 20, refine: 50 },
  { probes: 50, refine: 50 },
  { probes: 100, refine: 50 },
  { probes: 100, refine: 200 },
  { probes: 1000, refine: 200 },
  { probes: 1000, refine: 1000 },
];

/** A table with a partitioned, product-quantized index of the vectors and a B-tree of the buckets. */
export const lancedb: Contender = {
  async build(place) {
    const { Index } = await importPeer<Lance>('@lancedb/lancedb');
    const connection = await connect(place);
    let table: Table | undefined;
    let id = 0;
    for (const slice of readSlices(place.vectors)) {
      const rows = rowsOf(slice, place.vectors.dimensions).map((vector) => {
        const row = { id, bucket: bucketOf(id), vector: Array.from(vector) };
        id += 1;
        return row;
      });
      if (table) await table.add(rows);
      else table = await connection.createTable('vectors', rows);
    }
    await table?.createIndex('vector', { config: Index.ivfPq({ distanceType: 'dot' }) });
    await table?.createIndex('bucket', { config: Index.btree() });
    connection.close();
    return {};
  },
  async open(place) {
    const connection = await connect(place);
    const table = await connection.openTable('vectors');
    let { probes, refine } = SETTINGS[0] ?? { probes: 20, refine: 1 };
    return {
      settings: SETTINGS.map(({ probes, refine }) => `${probes} probes, refine ${refine}`),
      use(setting) {
        ({ probes, refine } = SETTINGS[setting] ?? { probes, refine });
      },
      filters: true,
      async search(vector, { limit, below }) {
        const query = table.query().nearestTo(vector).distanceType('dot').nprobes(probes).refineFactor(refine);
        // Every search without _distance logs a warning.
        const selected = query.select(['id', '_distance']).limit(limit);
        const rows = await (below === undefined ? selected : selected.where(`bucket < ${below}`)).toArray();
        return rows.map(({ id }) => Number(id));
      },
      async close() {
        connection.close();
      },
    };
  },
};

async function connect({ folder }: Place): Promise<Connection> {
  const { connect } = await importPeer<Lance>('@lancedb/lancedb');
  return connect(path.join(folder, 'lancedb'));
}
