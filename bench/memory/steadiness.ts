import path from 'node:path';
import type { MarkdownFile } from '../support/corpus/markdown-files.js';
import { writeCopies } from '../support/corpus/write-copies.js';
import { inTemporaryFolder } from '../support/folders/temporary-folder.js';
import { replyOf, startProcess, stopProcess } from '../support/processes/node-process.js';
import { type Slope, slopeOf, thinned } from '../support/statistics/slope.js';
import type { Sample, WorkTask } from './work-process.js';

export interface Steadiness {
  readonly samples: readonly Sample[];
  /** Slope of resident memory after the first quarter, in MiB per hour; undefined if the run was too short. */
  readonly growth: Slope | undefined;
}

/** Passages of the index. */
const PASSAGES = 2000;

/** Points through which the line is fitted. */
const POINTS = 60;

/** Samples memory while a process indexes, edits, removes and searches without a pause. */
export function measureSteadiness(
  files: readonly MarkdownFile[],
  { queries, minutes }: { readonly queries: readonly string[]; readonly minutes: number },
): Promise<Steadiness> {
  return inTemporaryFolder(async (temporary) => {
    const folder = path.join(temporary, 'docs');
    await writeCopies(folder, { files, passages: PASSAGES });
    const child = startProcess(new URL('./work-process.ts', import.meta.url));
    try {
      child.send({ database: path.join(temporary, 'waymark.db'), folder, files, queries } satisfies WorkTask);
      const samples: Sample[] = [];
      while ((samples.at(-1)?.at ?? 0) < minutes * 60) samples.push(await replyOf<Sample>(child));
      return { samples, growth: slopeOfMemory(samples) };
    } finally {
      await stopProcess(child);
    }
  });
}

/** Slope of resident memory in MiB per hour, without the first quarter of the run. */
export function slopeOfMemory(samples: readonly Pick<Sample, 'at' | 'rss'>[]): Slope | undefined {
  const from = (samples.at(-1)?.at ?? 0) / 4;
  const points = samples.filter(({ at }) => at >= from).map(({ at, rss }) => ({ x: at / 3600, y: rss / 2 ** 20 }));
  return slopeOf(thinned(points, { to: POINTS }));
}
