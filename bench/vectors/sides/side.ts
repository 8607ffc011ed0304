import type { VectorFile } from '../vector-file.js';

/** Where a side finds the vectors, and a folder of its own for what it stores. */
export interface Place {
  readonly vectors: VectorFile;
  readonly folder: string;
}

/** One way to search vectors. Ids are ordinals of the file. Either step may throw, with a sentence that says why. */
export interface Side {
  /** Makes what the side stores. Resolves to why it cannot be stored, where it serves from memory all the same. */
  build(place: Place): Promise<{ readonly unstored?: string }>;
  /** Loads what was built; without anything stored, builds again. */
  open(place: Place): Promise<OpenSide>;
}

export interface OpenSide {
  /** How carefully it may search, from the fastest on; one where there is no choice. */
  readonly settings: readonly string[];
  use(setting: number): void;
  /** Whether a search can be confined to buckets. */
  readonly filters: boolean;
  /** Ids of the nearest, best first; of buckets below `below` only, where that is given. */
  search(query: Float32Array, options: SearchOptions): Promise<readonly number[]>;
  close(): Promise<void>;
}

export interface SearchOptions {
  readonly limit: number;
  readonly below: number | undefined;
}
