import { replyOf, startProcess, stopProcess } from '../processes/node-process.js';
import type { Spent } from './spent.js';

/** Threads of remark that reading is compared with. */
const THREADS = 2;

/** The most that reading should take, as a multiple of what two threads of bare remark would. */
export const MOST_REMARK = 2;

/**
 * What it takes one thread to parse the markdown of some folders with remark and GFM, without a use of the trees. Each
 * call starts a process, as an engine does: in one that has parsed before, remark is compiled already.
 */
export async function bareRemark(folders: readonly string[]): Promise<Spent> {
  const child = startProcess(new URL('./remark-program.ts', import.meta.url));
  try {
    child.send(folders);
    return await replyOf<Spent>(child);
  } finally {
    await stopProcess(child);
  }
}

/** Seconds as a multiple of what two threads of bare remark would take. */
export function timesRemark(seconds: number, remark: Pick<Spent, 'seconds'>): number {
  return seconds / (remark.seconds / THREADS);
}
