import { type Latencies, latenciesOf, timed } from '../support/statistics/latencies.js';

/** What clients measured that asked at the same time. */
export interface Load extends Latencies {
  readonly clients: number;
  /** Answers a second of all clients together. */
  readonly perSecond: number;
}

/** Lets clients ask queries; each client takes the next query that has not been asked. */
export async function loadOf(
  search: (query: string) => Promise<unknown>,
  { clients, queries }: { readonly clients: number; readonly queries: readonly string[] },
): Promise<Load> {
  const times: number[] = [];
  let next = 0;
  const started = performance.now();
  const ask = async () => {
    while (next < queries.length) {
      const query = queries[next++] ?? '';
      times.push(await timed(() => search(query)));
    }
  };
  await Promise.all(Array.from({ length: clients }, ask));
  const seconds = (performance.now() - started) / 1000;
  return { clients, ...latenciesOf(times), perSecond: times.length / seconds };
}
