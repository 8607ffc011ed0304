import path from 'node:path';
import { COLOURS } from '../../support/charts/palette.js';
import { chunksOf, embedChunks } from '../chunks.js';
import { importPeer } from '../install.js';
import { type Contender, LIMIT } from './contender.js';

/** What is used of vectra. */
interface Vectra {
  readonly LocalIndex: new (folder: string) => LocalIndex;
}

interface LocalIndex {
  createIndex(): Promise<void>;
  beginUpdate(): Promise<void>;
  insertItem(item: { id: string; vector: number[]; metadata: Metadata }): Promise<unknown>;
  endUpdate(): Promise<void>;
  queryItems(vector: number[], query: string, limit: number): Promise<Found[]>;
}

/** Flat, as vectra requires. */
interface Metadata {
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

interface Found {
  readonly item: { readonly id: string; readonly metadata: Metadata };
  readonly score: number;
}

export const vectra: Contender = {
  name: 'vectra',
  mode: 'vector',
  colour: COLOURS.blue,
  async index({ folder, embedder, chunkSize, storage }) {
    const { LocalIndex } = await importPeer<Vectra>('vectra');
    const index = new LocalIndex(path.join(storage, 'vectra'));
    const chunks = await chunksOf(folder, { chunkSize });
    const embeddings = await embedChunks(chunks, embedder);
    await index.createIndex();
    await index.beginUpdate();
    for (const [i, metadata] of chunks.entries()) {
      await index.insertItem({ id: String(i), vector: Array.from(embeddings[i] ?? []), metadata: { ...metadata } });
    }
    await index.endUpdate();
    return {
      passages: chunks.length,
      async search(query) {
        const found = await index.queryItems(Array.from(await embedder.embedQuery(query)), query, LIMIT);
        return found.map(({ item: { id, metadata }, score }) => {
          const { file, startLine, endLine } = metadata;
          return { id, file, startLine, endLine, score };
        });
      },
      async close() {},
    };
  },
};
