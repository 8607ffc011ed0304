import { once } from 'node:events';
import type { IndexKind } from 'waymark';
import { replyOf, startProcess, stopProcess } from '../support/processes/node-process.js';
import { median } from '../support/statistics/latencies.js';
import { type SyntheticDatabase, syntheticDatabase } from '../support/synthetic/database.js';
import type { OpenTask, OpenTimes } from './first-answer.js';

export interface OpenOptions {
  readonly sizes: readonly number[];
  /** Processes per size. */
  readonly rounds: number;
  readonly index: IndexKind;
}

/** Medians over the rounds. */
export interface OpenResult extends OpenTimes {
  readonly passages: number;
  readonly rounds: readonly OpenTimes[];
}

/** Opens each index in new processes; the sizes take turns. Files are in the cache of the system. */
export async function measureOpen({ sizes, rounds, index }: OpenOptions): Promise<OpenResult[]> {
  const databases: SyntheticDatabase[] = [];
  for (const size of sizes) databases.push(await syntheticDatabase(size));
  const times: OpenTimes[][] = sizes.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, { database, queries }] of databases.entries()) {
      const [first = '', second = ''] = queries.slice(2 * round);
      times[i]?.push(await openInProcess({ database, index, queries: [first, second] }));
    }
  }
  return sizes.map((passages, i) => ({ passages, ...mediansOf(times[i] ?? []), rounds: times[i] ?? [] }));
}

async function openInProcess(task: OpenTask): Promise<OpenTimes> {
  const child = startProcess(new URL('./first-answer.ts', import.meta.url));
  try {
    const ended = once(child, 'exit');
    child.send(task);
    const reply = await replyOf<OpenTimes>(child);
    // The next process starts when this one and its embedding processes are gone.
    await ended;
    return reply;
  } finally {
    await stopProcess(child);
  }
}

export function mediansOf(times: readonly OpenTimes[]): OpenTimes {
  const medianOf = (of: (one: OpenTimes) => number) => median(times.map(of));
  return {
    load: medianOf(({ load }) => load),
    open: medianOf(({ open }) => open),
    firstSearch: medianOf(({ firstSearch }) => firstSearch),
    firstAnswer: medianOf(({ firstAnswer }) => firstAnswer),
    secondSearch: medianOf(({ secondSearch }) => secondSearch),
    rss: medianOf(({ rss }) => rss),
    index: times[0]?.index ?? '',
  };
}
