import type { SearchEngine } from 'waymark';
import { latenciesOf, timed } from '../http/latencies.js';
import { agreement } from '../measures/agreement.js';

type Engine = Pick<SearchEngine, 'search' | 'searchFiles'>;
/** What an index answers with. */
export interface Figures {
  /** Median of a search whose query is not embedded again, in milliseconds. */
  readonly search: number;
  /** Recall@10 of the nearest passages against an exact scan of the fresh index. */
  readonly recall: number;
}

/** Passages that recall looks at. */
const K = 10;

/** Searches that are timed, for each query: in the first round the compiler is at work. */
const ROUNDS = 3;

/** Two indexes of the same texts: how fast they answer, asked in turn, and how near they come to an exact one. */
export async function compared(
  { replaced, fresh, exact }: { readonly replaced: Engine; readonly fresh: Engine; readonly exact: Engine },
  queries: readonly string[],
): Promise<{ replaced: Figures; fresh: Figures }> {
  const sides = [replaced, fresh].map((engine) => ({ engine, times: [] as number[], recalls: [] as number[] }));
  for (const query of queries) {
    const wanted = await nearest(exact, query);
    for (const { engine, recalls } of sides) recalls.push(agreement(await nearest(engine, query), wanted, { k: K }));
    // The embedding is at hand on both sides now.
    for (let round = 0; round < ROUNDS; round++) {
      for (const { engine, times } of sides) times.push(await timed(() => engine.searchFiles({ query })));
    }
  }
  const [of, against] = sides.map(({ times, recalls }) => ({
    search: latenciesOf(times).p50,
    recall: recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length,
  }));
  if (!of || !against) throw new RangeError('two engines are compared');
  return { replaced: of, fresh: against };
}

/** Passages by their place: another database has other ids for them. */
async function nearest(engine: Engine, query: string): Promise<{ id: string }[]> {
  const hits = await engine.search(query, { mode: 'dense', limit: K });
  return hits.map(({ file, passage }) => ({ id: `${file.key} ${passage.position}` }));
}
