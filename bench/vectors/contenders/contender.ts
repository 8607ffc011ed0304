import type { VectorFile } from '../vector-file.js';

/** The vectors, and a folder for what the contender stores. */
export interface Place {
  readonly vectors: VectorFile;
  readonly folder: string;
}

/** An index of vectors. Ids are positions in the file. */
export interface Contender {
  /** Builds and stores the index. Resolves to the reason if it cannot be stored; it is then built again by `open`. */
  build(place: Place): Promise<{ readonly unstored?: string }>;
  open(place: Place): Promise<OpenContender>;
}

export interface OpenContender {
  /** Names of the search settings, from the fastest to the most thorough; one if there is no choice. */
  readonly settings: readonly string[];
  use(setting: number): void;
  /** Whether a search can be limited to buckets. */
  readonly filters: boolean;
  /** Ids of the nearest vectors, best first. */
  search(query: Float32Array, options: SearchOptions): Promise<readonly number[]>;
  close(): Promise<void>;
}

export interface SearchOptions {
  readonly limit: number;
  /** Only ids of buckets below this; undefined for all. */
  readonly below: number | undefined;
}
