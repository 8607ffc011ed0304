import type { Mode } from '../index.js';

/** The modes that an option can name. The library has them too, but a command's help does not load it. */
export const MODES: readonly Mode[] = ['hybrid', 'dense', 'lexical'];
