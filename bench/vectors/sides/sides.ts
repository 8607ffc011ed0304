import { float, int8 } from './exact.js';
import { hnsw } from './hnsw.js';
import { lancedb } from './lancedb.js';
import { orama } from './orama.js';
import type { Side } from './side.js';
import { sqliteVec } from './sqlite-vec.js';
import { usearch } from './usearch.js';
import { vectra } from './vectra.js';

export interface NamedSide {
  readonly name: string;
  readonly side: Side;
  readonly whose: 'ours' | 'peer';
  /** Whether large sets are beyond it: JavaScript objects, stored as one text. */
  readonly slow?: true;
  readonly colour: string;
}

/** The first is exact, and what the others' recall is counted by. Colours by Okabe & Ito 2008, and a grey. */
export const SIDES: readonly [NamedSide, ...NamedSide[]] = [
  { name: 'float', side: float, whose: 'ours', colour: '#0072b2' },
  { name: 'int8', side: int8, whose: 'ours', colour: '#56b4e9' },
  { name: 'hnsw', side: hnsw, whose: 'ours', colour: '#009e73' },
  { name: 'sqlite-vec', side: sqliteVec, whose: 'peer', colour: '#d55e00' },
  { name: 'lancedb', side: lancedb, whose: 'peer', colour: '#cc79a7' },
  { name: 'usearch', side: usearch, whose: 'peer', colour: '#e69f00' },
  { name: 'orama', side: orama, whose: 'peer', slow: true, colour: '#6e7781' },
  { name: 'vectra', side: vectra, whose: 'peer', slow: true, colour: '#1f2328' },
];
