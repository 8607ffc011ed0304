import type { Hit } from '../domain/passage.js';
import type { Lines } from './span.js';

/** A passage of a ranking. `file` is the key of its file. */
export interface RankedPassage extends Lines {
  readonly id: string;
  /** Higher is better. */
  readonly score: number;
}

/** A hit of `engine.search`, reduced to what the measures need. */
export function rankedPassage({ score, file, passage: { id, startLine, endLine } }: Hit): RankedPassage {
  return { id, file: file.key, startLine, endLine, score };
}
