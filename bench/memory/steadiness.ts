import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Document, writePassages } from '../embed/documents.js';
import { replyOf, startPlain, stopPlain } from './plain-process.js';
import { type Slope, slopeOf, thinned } from './slope.js';
import type { Sample, WorkTask } from './work-process.js';

export interface Steadiness {
  readonly samples: readonly Sample[];
  /** Of resident memory after the first quarter, in MB an hour; undefined where the run was too short. */
  readonly growth: Slope | undefined;
}

/** Passages of the index that is worked on. */
const PASSAGES = 2000;

/** Points that the slope is taken of. */
const POINTS = 60;

/** Memory while files are indexed, edited and removed and searches are asked, one after the other at full speed. */
export async function measureSteadiness(
  documents: readonly Document[],
  { queries, minutes }: { readonly queries: readonly string[]; readonly minutes: number },
): Promise<Steadiness> {
  const temporary = mkdtempSync(path.join(tmpdir(), 'waymark-bench-work-'));
  const folder = path.join(temporary, 'docs');
  const child = startPlain(new URL('./work-process.ts', import.meta.url));
  try {
    await writePassages(folder, { documents, passages: PASSAGES });
    child.send({ database: path.join(temporary, 'waymark.db'), folder, documents, queries } satisfies WorkTask);
    const samples: Sample[] = [];
    while ((samples.at(-1)?.at ?? 0) < minutes * 60) samples.push(await replyOf<Sample>(child));
    return { samples, growth: growthOf(samples) };
  } finally {
    await stopPlain(child);
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** The slope of resident memory in MB an hour, without the first quarter of the time. */
export function growthOf(samples: readonly Pick<Sample, 'at' | 'rss'>[]): Slope | undefined {
  const from = (samples.at(-1)?.at ?? 0) / 4;
  const points = samples.filter(({ at }) => at >= from).map(({ at, rss }) => ({ x: at / 3600, y: rss / 2 ** 20 }));
  return slopeOf(thinned(points, { to: POINTS }));
}
