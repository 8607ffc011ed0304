import type { SearchEngine } from 'waymark';
import { type Run, searchRun } from './run.js';

/** Ways to rank that are compared over one index, by name. */
export const MODES: ReadonlyMap<string, (engine: SearchEngine) => Run> = new Map([['dense', searchRun]]);
