import path from 'node:path';
import { importPeer } from '../../peers/install.js';
import { readSlices } from '../vector-file.js';
import type { Contender, Place } from './contender.js';

/** What is used of usearch. */
interface Usearch {
  readonly Index: new (options: {
    dimensions: number;
    metric: 'ip';
    quantization: 'f32';
    connectivity: number;
    expansion_add: number;
    expansion_search: number;
  }) => Index;
}

interface Index {
  add(keys: BigUint64Array, vectors: Float32Array, threads: number): void;
  search(query: Float32Array, limit: number, threads: number): { readonly keys: BigUint64Array };
  save(file: string): void;
  load(file: string): void;
}

const LEAST_EXPANSION = 64;
const EXPANSIONS = [LEAST_EXPANSION, 96, 128, 192, 256, 384, 512, 768, 1024, 2048];

/** A graph with the parameters of Waymark's own, built on all cores. Its JavaScript API has no filters. */
export const usearch: Contender = {
  async build(place) {
    const { Index } = await importPeer<Usearch>('usearch');
    const index = new Index(optionsOf(place));
    const { dimensions } = place.vectors;
    let first = 0;
    for (const slice of readSlices(place.vectors)) {
      const keys = BigUint64Array.from({ length: slice.length / dimensions }, (_, i) => BigInt(first + i));
      index.add(keys, slice, 0);
      first += keys.length;
    }
    index.save(fileIn(place));
    return {};
  },
  async open(place) {
    const { Index } = await importPeer<Usearch>('usearch');
    // The expansion of a search is fixed when an index is created.
    const load = (expansion?: number) => {
      const index = new Index(optionsOf(place, expansion));
      index.load(fileIn(place));
      return index;
    };
    let index = load();
    return {
      settings: EXPANSIONS.map((expansion) => `expansion ${expansion}`),
      use(setting) {
        if (setting > 0) index = load(EXPANSIONS[setting]);
      },
      filters: false,
      async search(query, { limit }) {
        return Array.from(index.search(query, limit, 1).keys, Number);
      },
      async close() {},
    };
  },
};

function optionsOf({ vectors: { dimensions } }: Place, expansion = LEAST_EXPANSION) {
  const graph = { connectivity: 16, expansion_add: 200, expansion_search: expansion };
  return { dimensions, metric: 'ip', quantization: 'f32', ...graph } as const;
}

function fileIn({ folder }: Place): string {
  return path.join(folder, 'index.usearch');
}
