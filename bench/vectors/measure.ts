import { quantile } from 'waymark/evaluation';
import { belowOf, SHARES } from './bucket.js';
import { LIMIT, makeReady, type Ready, type Truth } from './measure-side.js';
import { SIDES } from './sides/sides.js';
import type { VectorFile } from './vector-file.js';

/** How a side did over so many vectors. */
export interface SideResult {
  readonly side: string;
  readonly size: number;
  readonly whose: 'ours' | 'peer';
  readonly setting: string;
  readonly queries: number;
  readonly buildSeconds: number;
  /** Missing where it cannot be stored. */
  readonly loadSeconds?: number;
  readonly memoryMiB: number;
  /** The first without a filter; others only where the side has any. */
  readonly searches: readonly Searches[];
}

/** Searches for ten, with a filter that passes a share of the vectors. */
export interface Searches {
  readonly share: number;
  /** Milliseconds: medians over the rounds. */
  readonly p50: number;
  readonly p95: number;
  readonly recall: number;
}

/** What is to be known of a side beside its figures, or why it has none. */
export interface Note {
  readonly side: string;
  readonly size: number;
  readonly note: string;
}

export interface SizeOptions {
  readonly queries: readonly Float32Array[];
  readonly folder: string;
  readonly sides: ReadonlySet<string>;
  /** Most vectors that slow sides are given. */
  readonly slowLimit: number;
  readonly rounds: number;
  readonly onProgress: (line: string) => void;
}

/** A slow side is asked so many queries: what takes as long as all of theirs would cool the machine's caches for all. */
const SLOW_QUERIES = 20;

/** All sides over one set: each is built alone, then they are asked in turn, so that noise of the machine hits all. */
export async function measureSize(
  vectors: VectorFile,
  options: SizeOptions,
): Promise<{ readonly results: readonly SideResult[]; readonly notes: readonly Note[] }> {
  const { sides, slowLimit, onProgress } = options;
  const size = vectors.count;
  const ready: Ready[] = [];
  const notes: Note[] = [];
  let truth: Truth | undefined;
  try {
    for (const named of SIDES.filter(({ name }) => sides.has(name))) {
      const note = (text: string) => notes.push({ side: named.name, size, note: text });
      if (named.slow && size > slowLimit) {
        note(`left out above ${slowLimit} vectors (--slow-limit)`);
        continue;
      }
      onProgress(`${size} vectors: building ${named.name}`);
      const queries = named.slow ? options.queries.slice(0, SLOW_QUERIES) : options.queries;
      try {
        const side = await makeReady(named, { vectors, queries, folder: options.folder, truth });
        truth ??= side.truth;
        ready.push(side);
        if (side.built.unstored !== undefined) note(side.built.unstored);
        if (queries.length < options.queries.length) note(`asked the first ${queries.length} queries only`);
      } catch (error) {
        // Without what the others are compared with there is nothing to tell; a peer that fails is told.
        if (truth === undefined) throw error;
        note(error instanceof Error ? error.message : String(error));
      }
    }
    onProgress(`${size} vectors: ${options.rounds} rounds of queries`);
    const times = await rounds(ready, options.rounds);
    return { results: ready.map((side) => resultOf(side, { size, times: times.get(side) ?? new Map() })), notes };
  } finally {
    for (const { process } of ready) await process.stop();
  }
}

/** By side and share, the milliseconds of each round. */
type Times = Map<Ready, Map<number, number[][]>>;

async function rounds(ready: readonly Ready[], count: number): Promise<Times> {
  const times: Times = new Map(ready.map((side) => [side, new Map()]));
  for (let round = 0; round < count; round++) {
    for (const share of SHARES) {
      for (const side of ready) {
        if (!side.recalls.has(share)) continue;
        const { queries, process } = side;
        const { milliseconds } = await process.round({ queries, limit: LIMIT, below: belowOf(share) });
        const ofSide = times.get(side);
        ofSide?.set(share, [...(ofSide.get(share) ?? []), [...milliseconds]]);
      }
    }
  }
  return times;
}

function resultOf(
  { named, built, opened, setting, queries, recalls }: Ready,
  { size, times }: { readonly size: number; readonly times: ReadonlyMap<number, readonly number[][]> },
): SideResult {
  const at = (share: number, part: number) =>
    quantile(
      (times.get(share) ?? []).map((round) => quantile(round, part)),
      0.5,
    );
  return {
    side: named.name,
    size,
    whose: named.whose,
    setting,
    queries: queries.length,
    buildSeconds: built.seconds,
    ...(built.unstored === undefined && { loadSeconds: opened.seconds }),
    memoryMiB: opened.memory / 2 ** 20,
    searches: [...recalls].map(([share, recall]) => ({ share, p50: at(share, 0.5), p95: at(share, 0.95), recall })),
  };
}
