import type { Mode, SearchEngine } from 'waymark';
import { type Run, searchRun } from './run.js';

const NAMES: readonly Mode[] = ['dense', 'lexical', 'hybrid'];

/** Ways to rank that are compared over one index, by name. */
export const MODES: ReadonlyMap<string, (engine: SearchEngine) => Run> = new Map(
  NAMES.map((mode) => [mode, (engine) => searchRun(engine, mode)]),
);
