import type { Contender } from './contender.js';
import { orama } from './orama.js';
import { vectra } from './vectra.js';
import { waymark } from './waymark.js';

/** The first is compared with each of the others. */
export const CONTENDERS: readonly Contender[] = [waymark, orama, vectra];
