import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Document, writePassages } from '../embed/documents.js';
import type { IndexDone, IndexTask, Model } from './index-process.js';
import { replyOf, startPlain, stopPlain } from './plain-process.js';
import { childrenOf, memoryOf, proportionalOf } from './proc.js';

/** Resident memory of indexing, in MB. A page that processes share counts in each. */
export interface Peak {
  readonly model: Model;
  readonly passages: number;
  readonly seconds: number;
  /** When the process was started and nothing was opened yet. */
  readonly before: number;
  /** The most that the main process ever had. */
  readonly main: number;
  /** The same with a search after it, which loads the vectors. */
  readonly searched: number;
  /** The same of each process that runs the model. */
  readonly embedding: readonly number[];
  /** The most that all had at one time, looked at ten times a second. */
  readonly together: number;
  /** The same, with pages that they share counted once, looked at once a second. */
  readonly proportional: number;
}

/** Indexes so many passages in a fresh process; undefined where there is no /proc. */
export async function measurePeak(
  documents: readonly Document[],
  { passages, model }: { readonly passages: number; readonly model: Model },
): Promise<Peak | undefined> {
  const temporary = mkdtempSync(path.join(tmpdir(), 'waymark-bench-memory-'));
  const folder = path.join(temporary, 'docs');
  const child = startPlain(new URL('./index-process.ts', import.meta.url));
  const { pid = 0 } = child;
  try {
    await writePassages(folder, { documents, passages });
    const before = memoryOf(pid);
    if (!before) return undefined;
    let [together, proportional] = [0, 0];
    const processes = () => [pid, ...childrenOf(pid)];
    const looks = [
      setInterval(() => {
        together = Math.max(together, sum(processes().map((one) => memoryOf(one)?.now ?? 0)));
      }, 100),
      setInterval(() => {
        proportional = Math.max(proportional, sum(processes().map(proportionalOf)));
      }, 1000),
    ];
    try {
      child.send({ folder, database: path.join(temporary, 'waymark.db'), model } satisfies IndexTask);
      const done = await replyOf<IndexDone>(child);
      const main = memoryOf(pid)?.peak ?? 0;
      const embedding = childrenOf(pid).map((one) => memoryOf(one)?.peak ?? 0);
      child.send('search');
      await replyOf(child);
      const searched = memoryOf(pid)?.peak ?? 0;
      return { model, ...done, before: before.now, main, searched, embedding, together, proportional };
    } finally {
      for (const look of looks) clearInterval(look);
    }
  } finally {
    await stopPlain(child);
    rmSync(temporary, { recursive: true, force: true });
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
