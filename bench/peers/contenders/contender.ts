import type { Embedder } from 'waymark';
import type { RankedPassage } from 'waymark/evaluation';

/** A way from a folder of markdown to answers, as its user would go it. */
export interface Contender {
  readonly name: string;
  /** What it ranks by. */
  readonly mode: string;
  readonly colour: string;
  index(source: Source): Promise<Indexed>;
}

export interface Source {
  /** Of markdown. */
  readonly folder: string;
  readonly embedder: Embedder;
  /** An empty folder for what is stored. */
  readonly storage: string;
  /** Characters of a chunk at most; Waymark's passages have a measure of their own. */
  readonly chunkSize: number;
}

export interface Indexed {
  readonly passages: number;
  /** The best ten. */
  search(query: string): Promise<readonly RankedPassage[]>;
  close(): Promise<void>;
}

/** Passages that are asked for. */
export const LIMIT = 10;
