import type { SearchEngine } from 'waymark';
import { neighbourRecall } from '../support/measures/neighbour-recall.js';
import { median, timed } from '../support/statistics/latencies.js';

type Engine = Pick<SearchEngine, 'search' | 'searchFiles'>;

/** How an index answers. */
export interface Figures {
  /** Median milliseconds of a search whose embedding is cached. */
  readonly search: number;
  /** Recall@10 of the nearest passages against an exact scan of the fresh index. */
  readonly recall: number;
}

/** Passages over which recall is measured. */
const K = 10;

/** Timed searches per query. */
const ROUNDS = 3;

/**
 * Compares two indexes of the same texts: how fast they answer, asked in turn, and how close they come to an exact
 * scan.
 */
export async function compareIndexes(
  { replaced, fresh, exact }: { readonly replaced: Engine; readonly fresh: Engine; readonly exact: Engine },
  queries: readonly string[],
): Promise<{ replaced: Figures; fresh: Figures }> {
  const subjects = [replaced, fresh].map((engine) => ({ engine, times: [] as number[], recalls: [] as number[] }));
  for (const query of queries) {
    const neighbours = await nearest(exact, query);
    for (const { engine, recalls } of subjects) recalls.push(neighbourRecall(await nearest(engine, query), neighbours));
    // Both engines have cached the embedding by now.
    for (let round = 0; round < ROUNDS; round++) {
      for (const { engine, times } of subjects) times.push(await timed(() => engine.searchFiles({ query })));
    }
  }
  const [first, second] = subjects.map(({ times, recalls }) => ({
    search: median(times),
    recall: recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length,
  }));
  if (!first || !second) throw new RangeError('compareIndexes needs two engines');
  return { replaced: first, fresh: second };
}

/** Passages by file and position, because ids differ between databases. */
async function nearest(engine: Engine, query: string): Promise<string[]> {
  const hits = await engine.search(query, { mode: 'dense', limit: K });
  return hits.map(({ file, passage }) => `${file.key} ${passage.position}`);
}
