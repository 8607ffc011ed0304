import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, type FileOperations, openEngine } from 'waymark';
import { type Latencies, latenciesOf, timed } from './latencies.js';
import { makeAccess, type Service, startService } from './service.js';

export interface HttpOptions {
  readonly folder: string;
  readonly queries: readonly string[];
  /** Clients that ask at the same time. */
  readonly clients: number;
  readonly seconds: number;
}

export interface HttpResult {
  readonly passages: number;
  /** One call at a time: the same queries, in process and over HTTP in turn. */
  readonly inProcess: Latencies;
  readonly overHttp: Latencies;
  /** Median of what HTTP adds to a call. */
  readonly added: number;
  /** All clients at once. */
  readonly load: Latencies & { readonly clients: number; readonly seconds: number; readonly perSecond: number };
  readonly errors: number;
}

/** What the service adds to a search, and how it bears many clients. */
export async function measureHttp(options: HttpOptions): Promise<HttpResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-bench-http-'));
  const database = path.join(folder, 'waymark.db');
  let service: Service | undefined;
  try {
    const access = await makeAccess(database);
    const engine = await openEngine({ database, bot: access.botId });
    try {
      await engine.indexFolder(options.folder);
      const { passages } = await engine.status();
      service = await startService(database);
      const client = createClient({ ...access, apiUrl: service.apiUrl });
      const alone = await inTurn(options.queries, { engine, client });
      return { passages, ...alone, ...(await together(options, client)) };
    } finally {
      await engine.close();
    }
  } finally {
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Times that each query is asked: in the first round the compilers of both processes are at work, and nothing is timed. */
const ROUNDS = 4;

/** The embedding of a query is kept on both sides, so each query is asked once before it is timed. */
async function inTurn(
  queries: readonly string[],
  { engine, client }: { engine: Pick<FileOperations, 'searchFiles'>; client: Pick<FileOperations, 'searchFiles'> },
): Promise<Pick<HttpResult, 'inProcess' | 'overHttp' | 'added'>> {
  const sides = [engine, client].map((side) => ({ side, times: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const query of queries) {
      for (const { side } of sides) await side.searchFiles({ query });
      for (const { side, times } of sides) {
        const time = await timed(() => side.searchFiles({ query }));
        if (round > 0) times.push(time);
      }
    }
  }
  const [inProcess = [], overHttp = []] = sides.map(({ times }) => times);
  const added = latenciesOf(overHttp.map((time, i) => time - (inProcess[i] ?? 0))).p50;
  return { inProcess: latenciesOf(inProcess), overHttp: latenciesOf(overHttp), added };
}

async function together(
  { queries, clients, seconds }: HttpOptions,
  client: Pick<FileOperations, 'searchFiles'>,
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
        // Counted, and told.
        errors += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, ask));
  const elapsed = (performance.now() - started) / 1000;
  return { load: { ...latenciesOf(times), clients, seconds: elapsed, perSecond: times.length / elapsed }, errors };
}
