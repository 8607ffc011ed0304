import { COLOURS } from '../../support/charts/palette.js';
import type { Contender } from './contender.js';
import { float, int8 } from './exact.js';
import { hnsw } from './hnsw.js';
import { lancedb } from './lancedb.js';
import { orama } from './orama.js';
import { sqliteVec } from './sqlite-vec.js';
import { usearch } from './usearch.js';
import { vectra } from './vectra.js';

export interface NamedContender {
  readonly name: string;
  readonly contender: Contender;
  readonly whose: 'ours' | 'peer';
  /** Whether it cannot serve large sets: JavaScript objects, stored as one JSON text. */
  readonly slow?: true;
  readonly colour: string;
}

/** The first is exact and determines the recall of the others. */
export const CONTENDERS: readonly [NamedContender, ...NamedContender[]] = [
  { name: 'float', contender: float, whose: 'ours', colour: COLOURS.blue },
  { name: 'int8', contender: int8, whose: 'ours', colour: COLOURS.sky },
  { name: 'hnsw', contender: hnsw, whose: 'ours', colour: COLOURS.green },
  { name: 'sqlite-vec', contender: sqliteVec, whose: 'peer', colour: COLOURS.vermilion },
  { name: 'lancedb', contender: lancedb, whose: 'peer', colour: COLOURS.purple },
  { name: 'usearch', contender: usearch, whose: 'peer', colour: COLOURS.orange },
  { name: 'orama', contender: orama, whose: 'peer', slow: true, colour: COLOURS.grey },
  { name: 'vectra', contender: vectra, whose: 'peer', slow: true, colour: COLOURS.black },
];
