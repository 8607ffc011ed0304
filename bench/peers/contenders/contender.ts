import type { Embedder } from 'waymark';
import type { RankedPassage } from 'waymark/evaluation';

/** A pipeline from a folder of markdown to answers, as its user would build it. */
export interface Contender {
  readonly name: string;
  /** What it ranks by. */
  readonly mode: string;
  readonly colour: string;
  index(source: Source): Promise<Indexed>;
}

export interface Source {
  /** Folder of markdown. */
  readonly folder: string;
  readonly embedder: Embedder;
  /** An empty folder for the index. */
  readonly storage: string;
  /** Most characters of a chunk. Waymark ignores it. */
  readonly chunkSize: number;
}

export interface Indexed {
  readonly passages: number;
  /** The first `LIMIT` passages. */
  search(query: string): Promise<readonly RankedPassage[]>;
  close(): Promise<void>;
}

/** Passages per search. */
export const LIMIT = 10;
