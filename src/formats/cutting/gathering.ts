import type { ParsedPassage, ParseOptions } from '../parser.js';
import type { Lines } from './lines.js';

/** The text that sections are gathered from, and the limits of its passages. */
export interface Gathering extends ParseOptions {
  /** The text as the parser reads it, with the offsets of the original. */
  readonly source: string;
  readonly lines: Lines;
  /** What a reader sees of the range [start, end). */
  readonly readable: (start: number, end: number) => string;
  /** What completes the blocks that the range [start, end) cuts. */
  readonly frame?: (start: number, end: number) => Pick<ParsedPassage, 'opening' | 'closing'>;
}
