import type { Mode, SearchEngine } from 'waymark';

/** A passage as a run ranks it. */
export interface RankedPassage {
  readonly id: string;
  /** Key of its file. */
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Higher is better. */
  readonly score: number;
}

/** What is evaluated: from a query to passages, best first, `depth` of them at most. */
export type Run = (query: string, depth: number) => Promise<readonly RankedPassage[]>;

/** The engine as it searches. */
export function searchRun(engine: SearchEngine, mode: Mode): Run {
  return async (query, depth) => {
    const hits = await engine.search(query, { limit: depth, mode });
    return hits.map(({ score, file, passage: { id, startLine, endLine } }) => ({
      id,
      file: file.key,
      startLine,
      endLine,
      score,
    }));
  };
}
