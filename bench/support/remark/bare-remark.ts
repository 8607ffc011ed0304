import type { ChildProcess } from 'node:child_process';
import { replyOf, startProcess, stopProcess } from '../processes/node-process.js';
import type { Share } from './remark-program.js';
import type { Spent } from './spent.js';

/** The most that reading should take, as a multiple of what two threads of bare remark take. */
export const MOST_REMARK = 2;

/** What parsing with remark and GFM takes if nothing uses the trees. */
export interface BareRemark {
  /** One thread parses all texts. V8 compiles and collects garbage on the other cores meanwhile. */
  readonly one: Spent;
  /** Two threads, each in its process, parse half of the texts each, at the same time. */
  readonly two: Spent;
}

/**
 * Parses the markdown of some folders. The processes are new, as those of an engine are: in one that has parsed before,
 * remark is compiled already.
 */
export async function bareRemark(folders: readonly string[]): Promise<BareRemark> {
  return { one: await parsedBy(1, folders), two: await parsedBy(2, folders) };
}

async function parsedBy(threads: number, folders: readonly string[]): Promise<Spent> {
  const children = Array.from({ length: threads }, () => startProcess(new URL('./remark-program.ts', import.meta.url)));
  const each = <Reply>(work: (child: ChildProcess, at: number) => Promise<Reply>) => Promise.all(children.map(work));
  try {
    await each((child, at) => replyTo(child, { folders, at, of: threads } satisfies Share));
    const started = performance.now();
    const cpu = await each((child) => replyTo<number>(child, 'parse'));
    return { seconds: (performance.now() - started) / 1000, cpu: cpu.reduce((sum, seconds) => sum + seconds, 0) };
  } finally {
    await each((child) => stopProcess(child));
  }
}

function replyTo<Reply>(child: ChildProcess, message: Share | 'parse'): Promise<Reply> {
  const reply = replyOf<Reply>(child);
  child.send(message);
  return reply;
}

/** Seconds as a multiple of what two threads of bare remark take. */
export function timesRemark(seconds: number, { two }: BareRemark): number {
  return seconds / two.seconds;
}
