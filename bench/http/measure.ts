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

/** Both cache the embedding of a query, so each query is asked once before it is timed. */
async function compareInTurn(
  queries: readonly string[],
  { engine, client }: { readonly engine: Searcher; readonly client: Searcher },
): Promise<Pick<HttpResult, 'inProcess' | 'overHttp' | 'added'>> {
  const searchers = [engine, client].map((searcher) => ({ searcher, times: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const query of queries) {
      for (const { searcher } of searchers) await searcher.searchFiles({ query });
      for (const { searcher, times } of searchers) {
        const time = await timed(() => searcher.searchFiles({ query }));
        if (round > 0) times.push(time);
      }
    }
  }
  const [inProcess = [], overHttp = []] = searchers.map(({ times }) => times);
  const added = latenciesOf(overHttp.map((time, i) => time - (inProcess[i] ?? 0))).p50;
  return { inProcess: latenciesOf(inProcess), overHttp: latenciesOf(overHttp), added };
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
