import path from 'node:path';
import { createClient, type FileOperations, openEngine } from 'waymark';
import { inTemporaryFolder } from '../support/folders/temporary-folder.js';
import { type Latencies, latenciesOf, timed } from '../support/statistics/latencies.js';
import { createAccess, startService } from './service.js';

export interface HttpOptions {
  readonly folder: string;
  readonly queries: readonly string[];
  /** Concurrent clients. */
  readonly clients: number;
  readonly seconds: number;
}

export interface HttpResult {
  readonly passages: number;
  /** One call at a time: the same queries in process and over HTTP, in turn. */
  readonly inProcess: Latencies;
  readonly overHttp: Latencies;
  /** Median of the difference between the two, in ms. */
  readonly added: number;
  /** By how much the difference grows with `ADDITIONS` in the request and its answer, in ms. */
  readonly addedByAdditions: number;
  /** All clients at once. */
  readonly load: Latencies & { readonly clients: number; readonly seconds: number; readonly perSecond: number };
  readonly errors: number;
}

type Searcher = Pick<FileOperations, 'searchFiles'>;

export function measureHttp(options: HttpOptions): Promise<HttpResult> {
  return inTemporaryFolder(async (folder) => {
    const database = path.join(folder, 'waymark.db');
    const access = await createAccess(database);
    const engine = await openEngine({ database, bot: access.botId });
    try {
      await engine.indexFolder(options.folder);
      const { passages } = await engine.status();
      const service = await startService(database);
      try {
        const client = createClient({ ...access, apiUrl: service.apiUrl });
        const oneAtATime = await compareInTurn(options.queries, { engine, client });
        return { passages, ...oneAtATime, ...(await measureLoad(options, client)) };
      } finally {
        await service.stop();
      }
    } finally {
      await engine.close();
    }
  });
}

/** Rounds of all queries. The first warms up the compilers of both processes and is not counted. */
const ROUNDS = 4;

/** What a request may have beyond that of the hosted API, and its answer then has more. */
const ADDITIONS = { mode: 'hybrid', minScore: 0, path: '**', explain: true, positions: true } as const;

/** Both cache the embedding of a query, so each query is asked once before it is timed. */
async function compareInTurn(
  queries: readonly string[],
  { engine, client }: { readonly engine: Searcher; readonly client: Searcher },
): Promise<Pick<HttpResult, 'inProcess' | 'overHttp' | 'added' | 'addedByAdditions'>> {
  const kinds = [{}, ADDITIONS].flatMap((additions) =>
    [engine, client].map((searcher) => ({ searcher, additions, times: [] as number[] })),
  );
  for (let round = 0; round < ROUNDS; round++) {
    for (const query of queries) {
      for (const { searcher, additions } of kinds) await searcher.searchFiles({ query, ...additions });
      for (const { searcher, additions, times } of kinds) {
        const time = await timed(() => searcher.searchFiles({ query, ...additions }));
        if (round > 0) times.push(time);
      }
    }
  }
  const [inProcess = [], overHttp = [], ownWith = [], httpWith = []] = kinds.map(({ times }) => times);
  const difference = (over: readonly number[], own: readonly number[]) => over.map((time, i) => time - (own[i] ?? 0));
  const [plain, more] = [difference(overHttp, inProcess), difference(httpWith, ownWith)];
  return {
    inProcess: latenciesOf(inProcess),
    overHttp: latenciesOf(overHttp),
    added: latenciesOf(plain).p50,
    addedByAdditions: latenciesOf(difference(more, plain)).p50,
  };
}

async function measureLoad(
  { queries, clients, seconds }: HttpOptions,
  client: Searcher,
): Promise<Pick<HttpResult, 'load' | 'errors'>> {
  const times: number[] = [];
  let errors = 0;
  const started = performance.now();
  const end = started + seconds * 1000;
  const ask = async (_: unknown, first: number) => {
    for (let i = first; performance.now() < end; i++) {
      const query = queries[i % queries.length] ?? '';
      try {
        times.push(await timed(() => client.searchFiles({ query })));
      } catch {
        // Counted and reported.
        errors += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, ask));
  const elapsed = (performance.now() - started) / 1000;
  return { load: { ...latenciesOf(times), clients, seconds: elapsed, perSecond: times.length / elapsed }, errors };
}
