import { openEngine, type SearchEngine } from 'waymark';
import { type Latencies, latenciesOf, timed } from '../http/latencies.js';
import { type SyntheticDatabase, syntheticDatabase } from '../synthetic/database.js';
import { freshQueries } from './fresh-queries.js';
import { SearchClock, type SearchTimes } from './search-clock.js';

export interface QueryOptions {
  readonly sizes: readonly number[];
  /** Queries that are timed, for each size. */
  readonly queries: number;
  readonly index: 'auto' | 'exact' | 'hnsw';
  readonly onDatabase?: (passages: number) => Parameters<typeof syntheticDatabase>[1];
}

/** Milliseconds of `searchFiles` over an index of a size, by part. */
export interface QueryResult {
  readonly passages: number;
  readonly index: string;
  readonly parts: Readonly<Record<keyof SearchTimes, Latencies>>;
  /** The whole of a search for what was asked just before: nothing is embedded. */
  readonly repeated: Latencies;
  /** Embedding the query while nothing else is done, and what the whole takes longer than that. */
  readonly alone: Latencies;
  readonly added: Latencies;
}

/** Searches before the first that counts: code is compiled, pages are in memory. */
const WARM_UP = 20;

/** Searches of one size, before the next size has its turn: all meet the same weather of the machine. */
const BLOCK = 10;

/** Where the time of a search goes, by size of the index. */
export async function measureQuery({ sizes, queries, index, onDatabase }: QueryOptions): Promise<QueryResult[]> {
  const databases: SyntheticDatabase[] = [];
  for (const size of sizes) databases.push(await syntheticDatabase(size, onDatabase?.(size)));
  const sides: Side[] = [];
  try {
    for (const database of databases) sides.push(await openSide(database, index));
    for (const side of sides) for (let i = 0; i < WARM_UP; i++) await side.ask(queries + i);
    for (const side of sides) side.forget();
    for (let from = 0; from < queries; from += BLOCK) {
      const turn = (from / BLOCK) % sides.length;
      for (const side of [...sides.slice(turn), ...sides.slice(0, turn)]) {
        for (let i = from; i < Math.min(queries, from + BLOCK); i++) await side.ask(i);
      }
    }
    return await Promise.all(sides.map((side) => side.result()));
  } finally {
    await Promise.all(sides.map(({ engine }) => engine.close()));
  }
}

interface Side {
  readonly engine: SearchEngine;
  readonly ask: (i: number) => Promise<void>;
  readonly forget: () => void;
  readonly result: () => Promise<QueryResult>;
}

async function openSide(
  { database, embedder, queries }: SyntheticDatabase,
  index: QueryOptions['index'],
): Promise<Side> {
  const clock = new SearchClock();
  const model = await embedder();
  const engine = await openEngine({ database, model, index, onStage: clock.onStage });
  const queryOf = freshQueries(queries);
  const times: SearchTimes[] = [];
  const repeated: number[] = [];
  const alone: number[] = [];
  return {
    engine,
    ask: async (i) => {
      const query = queryOf(i);
      const search = () => engine.searchFiles({ query });
      times.push(await clock.time(search));
      repeated.push((await clock.time(search)).whole);
      // To the model the same text, and another one to its cache.
      alone.push(await timed(() => model.embedQuery(`${query} `)));
    },
    forget: () => {
      times.length = 0;
      repeated.length = 0;
      alone.length = 0;
    },
    result: async () => {
      const { passages, index } = await engine.status();
      const part = (name: keyof SearchTimes) => [name, latenciesOf(times.map((of) => of[name]))] as const;
      const names = Object.keys(times[0] ?? {}) as (keyof SearchTimes)[];
      const parts = Object.fromEntries(names.map(part)) as QueryResult['parts'];
      const added = latenciesOf(times.map(({ whole }, i) => whole - (alone[i] ?? 0)));
      return { passages, index, parts, repeated: latenciesOf(repeated), alone: latenciesOf(alone), added };
    },
  };
}
