import type { Mode, SearchEngine } from 'waymark';
import { type Run, searchRun } from './run.js';

const NAMES: readonly Mode[] = ['hybrid', 'dense', 'lexical'];

/** Ways to rank over one index, by name; the first is compared with the others. */
export const MODES: ReadonlyMap<string, (engine: SearchEngine) => Run> = new Map(
  NAMES.map((mode) => [mode, (engine) => searchRun(engine, mode)]),
);
