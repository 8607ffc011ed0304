import { type IndexKind, openEngine, type SearchEngine } from 'waymark';
import { type Latencies, latenciesOf, timed } from '../support/statistics/latencies.js';
import { type SyntheticDatabase, syntheticDatabase } from '../support/synthetic/database.js';
import { freshQueries } from './fresh-queries.js';
import { SearchClock, type SearchTimes } from './search-clock.js';

export interface QueryOptions {
  readonly sizes: readonly number[];
  /** Timed queries per size. */
  readonly queries: number;
  readonly index: IndexKind;
}

/** Milliseconds of `searchFiles` over an index of one size. */
export interface QueryResult {
  readonly passages: number;
  /** The index that answered: `exact` or `hnsw`. */
  readonly index: string;
  /** By stage, and `rest`, `busy` and `whole`. */
  readonly parts: Readonly<Record<string, Latencies>> & { readonly busy: Latencies; readonly whole: Latencies };
  /** The whole of the same search repeated at once: the embedding is cached. */
  readonly repeated: Latencies;
  /** Embedding the query while nothing else runs. */
  readonly alone: Latencies;
  /** The whole minus `alone`. */
  readonly added: Latencies;
}

/** Searches before the first that counts: they compile code and load pages. */
const WARM_UP = 20;

/** Searches of one size before the next size has its turn, so that all meet the same conditions of the machine. */
const BLOCK = 10;

export async function measureQuery({ sizes, queries, index }: QueryOptions): Promise<QueryResult[]> {
  const databases: SyntheticDatabase[] = [];
  for (const size of sizes) databases.push(await syntheticDatabase(size));
  const subjects: Subject[] = [];
  try {
    for (const database of databases) subjects.push(await Subject.open(database, index));
    for (const subject of subjects) for (let i = 0; i < WARM_UP; i++) await subject.ask(queries + i);
    for (const subject of subjects) subject.forget();
    for (let from = 0; from < queries; from += BLOCK) {
      const turn = (from / BLOCK) % subjects.length;
      for (const subject of [...subjects.slice(turn), ...subjects.slice(0, turn)]) {
        for (let i = from; i < Math.min(queries, from + BLOCK); i++) await subject.ask(i);
      }
    }
    return await Promise.all(subjects.map((subject) => subject.result()));
  } finally {
    await Promise.all(subjects.map((subject) => subject.close()));
  }
}

/** An index of one size, with the times of its searches. */
class Subject {
  readonly #engine: SearchEngine;
  readonly #embedQuery: (text: string) => Promise<unknown>;
  readonly #clock: SearchClock;
  readonly #queryOf: (i: number) => string;
  #times: SearchTimes[] = [];
  #repeated: number[] = [];
  #alone: number[] = [];

  private constructor(
    engine: SearchEngine,
    parts: { clock: SearchClock; embedQuery: (text: string) => Promise<unknown>; queryOf: (i: number) => string },
  ) {
    this.#engine = engine;
    this.#clock = parts.clock;
    this.#embedQuery = parts.embedQuery;
    this.#queryOf = parts.queryOf;
  }

  static async open({ database, embedder, queries }: SyntheticDatabase, index: IndexKind): Promise<Subject> {
    const clock = new SearchClock();
    const model = await embedder();
    const engine = await openEngine({ database, model, index, onStage: clock.onStage });
    const embedQuery = (text: string) => model.embedQuery(text);
    return new Subject(engine, { clock, embedQuery, queryOf: freshQueries(queries) });
  }

  async ask(i: number): Promise<void> {
    const query = this.#queryOf(i);
    const search = () => this.#engine.searchFiles({ query });
    this.#times.push(await this.#clock.time(search));
    this.#repeated.push((await this.#clock.time(search)).whole);
    // The trailing space makes it new to the cache, but not to the model.
    this.#alone.push(await timed(() => this.#embedQuery(`${query} `)));
  }

  forget(): void {
    this.#times = [];
    this.#repeated = [];
    this.#alone = [];
  }

  async result(): Promise<QueryResult> {
    const { passages, index } = await this.#engine.status();
    const names = [...new Set(this.#times.flatMap((times) => Object.keys(times)))];
    const part = (name: string) => [name, latenciesOf(this.#times.map((times) => times[name] ?? 0))] as const;
    const added = this.#times.map(({ whole }, i) => whole - (this.#alone[i] ?? 0));
    return {
      passages,
      index,
      parts: Object.fromEntries(names.map(part)) as QueryResult['parts'],
      repeated: latenciesOf(this.#repeated),
      alone: latenciesOf(this.#alone),
      added: latenciesOf(added),
    };
  }

  close(): Promise<void> {
    return this.#engine.close();
  }
}
