import path from 'node:path';
import type { MarkdownFile } from '../support/corpus/markdown-files.js';
import { writeCopies } from '../support/corpus/write-copies.js';
import { inTemporaryFolder } from '../support/folders/temporary-folder.js';
import { replyOf, startProcess, stopProcess } from '../support/processes/node-process.js';
import { childrenOf, isParser, memoryOf, proportionalOf } from '../support/processes/proc.js';
import type { IndexDone, IndexTask, Model } from './index-process.js';

/** Resident memory of indexing in MiB. A page that processes share counts in each, except in `proportional`. */
export interface Peak {
  readonly model: Model;
  readonly passages: number;
  readonly seconds: number;
  /** Of the new process, before anything is opened. */
  readonly before: number;
  /** Peak of the main process. */
  readonly main: number;
  /** Peak of the main process after a search, which loads the vectors. */
  readonly searched: number;
  /** Peak of each parse process. */
  readonly parsing: readonly number[];
  /** Peak of each embedding process. */
  readonly embedding: readonly number[];
  /** Peak of the sum over all processes, sampled every 100 ms. */
  readonly together: number;
  /** Peak of the sum with shared pages counted once, sampled every second. */
  readonly proportional: number;
}

/** Indexes so many passages in a new process; `undefined` without /proc. */
export function measurePeak(
  files: readonly MarkdownFile[],
  { passages, model }: { readonly passages: number; readonly model: Model },
): Promise<Peak | undefined> {
  return inTemporaryFolder(async (temporary) => {
    const folder = path.join(temporary, 'docs');
    const child = startProcess(new URL('./index-process.ts', import.meta.url));
    const { pid = 0 } = child;
    try {
      await writeCopies(folder, { files, passages });
      const before = memoryOf(pid);
      if (!before) return undefined;
      const sums = samplePeaks(pid);
      try {
        child.send({ folder, database: path.join(temporary, 'waymark.db'), model } satisfies IndexTask);
        const done = await replyOf<IndexDone>(child);
        const main = memoryOf(pid)?.peak ?? 0;
        const peaksOf = (isWanted: (child: number) => boolean) =>
          childrenOf(pid)
            .filter(isWanted)
            .map((one) => memoryOf(one)?.peak ?? 0);
        const processes = { parsing: peaksOf(isParser), embedding: peaksOf((one) => !isParser(one)) };
        child.send('search');
        await replyOf(child);
        const searched = memoryOf(pid)?.peak ?? 0;
        return { model, ...done, before: before.now, main, searched, ...processes, ...sums.peaks };
      } finally {
        sums.stop();
      }
    } finally {
      await stopProcess(child);
    }
  });
}

/** Peaks of the memory of a process and its children together. */
function samplePeaks(pid: number) {
  const peaks = { together: 0, proportional: 0 };
  const sumOf = (measure: (pid: number) => number) =>
    [pid, ...childrenOf(pid)].reduce((sum, one) => sum + measure(one), 0);
  const timers = [
    setInterval(() => {
      peaks.together = Math.max(
        peaks.together,
        sumOf((one) => memoryOf(one)?.now ?? 0),
      );
    }, 100),
    setInterval(() => {
      peaks.proportional = Math.max(peaks.proportional, sumOf(proportionalOf));
    }, 1000),
  ];
  return { peaks, stop: () => timers.forEach(clearInterval) };
}
