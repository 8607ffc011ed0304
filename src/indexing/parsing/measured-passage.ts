import type { CountTokens } from '../../embed/embedder.js';
import { Lines } from '../../formats/cutting/lines.js';
import { termsOf } from '../../text/terms.js';

/** Separates the passages of a caller in the text that they are joined to. */
export const SEPARATOR = '\n\n';

/** What the store needs to know of a passage that a caller cut. */
export interface MeasuredPassage {
  /** Tokens that the model reads: with its prefix, special tokens included. */
  readonly tokens: number;
  /** As `termsOf` gives them, separated by spaces. */
  readonly terms: string;
  /** Lines from its first to the line of its last code unit. */
  readonly height: number;
  /** Lines from its first to that of the next passage. */
  readonly step: number;
}

/** Measures a passage; `countTokens` counts the model's prefix, too. */
export function measure(content: string, countTokens: CountTokens): MeasuredPassage {
  // A carriage return at the end and the line feed of the gap are one line ending.
  const lines = new Lines(content + SEPARATOR);
  return {
    tokens: countTokens(content),
    terms: termsOf(content).join(' '),
    height: lines.lineOf(content.length - 1) - 1,
    step: lines.starts.length - 1,
  };
}
