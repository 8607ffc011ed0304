import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { importPeer } from '../../peers/install.js';
import { bucketOf } from '../buckets.js';
import { readVectors } from '../vector-file.js';
import type { Contender, Place } from './contender.js';

/** What is used of @orama/orama. */
interface Orama {
  create(options: { schema: Record<string, string> }): Database;
  insert(database: Database, document: object): unknown;
  save(database: Database): object;
  load(database: Database, raw: unknown): void;
  searchVector(database: Database, query: object): Promise<{ hits: { id: string }[] }>;
}

interface Database {
  readonly id: string;
}

/** A scan of vectors in JavaScript objects, stored as one JSON text. */
export const orama: Contender = {
  async build(place) {
    const { save } = await importPeer<Orama>('@orama/orama');
    const database = await filled(place);
    try {
      await writeFile(fileIn(place), JSON.stringify(save(database)));
      return {};
    } catch (error) {
      // The text exceeds the longest string of V8.
      if (error instanceof RangeError) return { unstored: `its index cannot be stored: ${error.message}` };
      throw error;
    }
  },
  async open(place) {
    const { searchVector } = await importPeer<Orama>('@orama/orama');
    const database = existsSync(fileIn(place)) ? await stored(place) : await filled(place);
    return {
      settings: ['exact'],
      use() {},
      filters: true,
      async search(value, { limit, below }) {
        const where = below === undefined ? {} : { where: { bucket: { lt: below } } };
        const vector = { value, property: 'embedding' };
        const { hits } = await searchVector(database, { vector, similarity: 0, limit, ...where });
        return hits.map(({ id }) => Number(id));
      },
      async close() {},
    };
  },
};

async function filled(place: Place): Promise<Database> {
  const { insert } = await importPeer<Orama>('@orama/orama');
  const database = await empty(place);
  let id = 0;
  for (const embedding of readVectors(place.vectors)) {
    await insert(database, { id: String(id), bucket: bucketOf(id), embedding: Array.from(embedding) });
    id += 1;
  }
  return database;
}

async function stored(place: Place): Promise<Database> {
  const { load } = await importPeer<Orama>('@orama/orama');
  const database = await empty(place);
  load(database, JSON.parse(await readFile(fileIn(place), 'utf8')));
  return database;
}

async function empty({ vectors }: Place): Promise<Database> {
  const { create } = await importPeer<Orama>('@orama/orama');
  return create({ schema: { bucket: 'number', embedding: `vector[${vectors.dimensions}]` } });
}

function fileIn({ folder }: Place): string {
  return path.join(folder, 'orama.json');
}
