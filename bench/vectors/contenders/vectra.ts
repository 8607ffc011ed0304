import path from 'node:path';
import { importPeer } from '../../peers/install.js';
import { bucketOf } from '../buckets.js';
import { readVectors } from '../vector-file.js';
import type { Contender, Place } from './contender.js';

/** What is used of vectra. */
interface Vectra {
  readonly LocalIndex: new (folder: string) => LocalIndex;
}

interface LocalIndex {
  createIndex(): Promise<void>;
  beginUpdate(): Promise<void>;
  insertItem(item: { id: string; vector: number[]; metadata: Record<string, number> }): Promise<unknown>;
  endUpdate(): Promise<void>;
  queryItems(
    vector: number[],
    query: string,
    limit: number,
    filter?: object,
  ): Promise<{ readonly item: { readonly id: string } }[]>;
}

/** A scan of vectors in JavaScript objects, stored as one JSON text that every process must load. */
export const vectra: Contender = {
  async build(place) {
    const index = await indexIn(place);
    await index.createIndex();
    await index.beginUpdate();
    let id = 0;
    for (const vector of readVectors(place.vectors)) {
      await index.insertItem({ id: String(id), vector: Array.from(vector), metadata: { bucket: bucketOf(id) } });
      id += 1;
    }
    await index.endUpdate();
    return {};
  },
  async open(place) {
    const index = await indexIn(place);
    return {
      settings: ['exact'],
      use() {},
      filters: true,
      async search(query, { limit, below }) {
        const filter = below === undefined ? undefined : { bucket: { $lt: below } };
        const found = await index.queryItems(Array.from(query), '', limit, filter);
        return found.map(({ item }) => Number(item.id));
      },
      async close() {},
    };
  },
};

async function indexIn({ folder }: Place): Promise<LocalIndex> {
  const { LocalIndex } = await importPeer<Vectra>('vectra');
  return new LocalIndex(path.join(folder, 'vectra'));
}
