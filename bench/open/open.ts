import { once } from 'node:events';
import { quantile } from 'waymark/evaluation';
import { replyOf, startPlain, stopPlain } from '../memory/plain-process.js';
import { syntheticDatabase } from '../synthetic/database.js';
import type { OpenReply, OpenRequest } from './first-answer.js';

export interface OpenOptions {
  readonly sizes: readonly number[];
  /** Processes for each size. */
  readonly rounds: number;
  readonly index: OpenRequest['index'];
  readonly onDatabase?: (passages: number) => Parameters<typeof syntheticDatabase>[1];
}

/** Medians over processes. */
export interface OpenResult extends OpenReply {
  readonly passages: number;
  readonly rounds: readonly OpenReply[];
}

/** What a new process takes to its first answer, by size of the index; files are in the system's cache. */
export async function measureOpen({ sizes, rounds, index, onDatabase }: OpenOptions): Promise<OpenResult[]> {
  const databases: Awaited<ReturnType<typeof syntheticDatabase>>[] = [];
  for (const size of sizes) databases.push(await syntheticDatabase(size, onDatabase?.(size)));
  const replies: OpenReply[][] = sizes.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, { database, queries }] of databases.entries()) {
      const [first = '', second = ''] = queries.slice(2 * round);
      replies[i]?.push(await inProcess({ database, index, queries: [first, second] }));
    }
  }
  return sizes.map((passages, i) => ({ passages, ...medianOf(replies[i] ?? []), rounds: replies[i] ?? [] }));
}

async function inProcess(request: OpenRequest): Promise<OpenReply> {
  const child = startPlain(new URL('./first-answer.ts', import.meta.url));
  try {
    const ended = once(child, 'exit');
    child.send(request);
    const reply = await replyOf<OpenReply>(child);
    // It closes its engine, and the processes of that, before the next one starts.
    await ended;
    return reply;
  } finally {
    await stopPlain(child);
  }
}

export function medianOf(replies: readonly OpenReply[]): OpenReply {
  const median = (of: (reply: OpenReply) => number) => quantile(replies.map(of), 0.5);
  return {
    load: median(({ load }) => load),
    open: median(({ open }) => open),
    firstSearch: median(({ firstSearch }) => firstSearch),
    firstAnswer: median(({ firstAnswer }) => firstAnswer),
    secondSearch: median(({ secondSearch }) => secondSearch),
    rss: median(({ rss }) => rss),
    index: replies[0]?.index ?? '',
  };
}
