import { quantile } from 'waymark/evaluation';
import { log } from '../support/report/progress.js';
import { median } from '../support/statistics/latencies.js';
import { belowOf, SHARES } from './buckets.js';
import { CONTENDERS } from './contenders/contenders.js';
import { LIMIT, type PreparedContender, prepareContender, type Truth } from './prepare-contender.js';
import type { VectorFile } from './vector-file.js';

/** How a contender did over so many vectors. */
export interface ContenderResult {
  readonly contender: string;
  readonly size: number;
  readonly whose: 'ours' | 'peer';
  readonly setting: string;
  readonly queries: number;
  readonly buildSeconds: number;
  /** Missing if the index cannot be stored. */
  readonly loadSeconds?: number;
  readonly memoryMiB: number;
  /** The first without a filter; the others only if the contender has filters. */
  readonly searches: readonly Searches[];
}

/** Searches for ten neighbours with a filter that passes a share of the vectors. */
export interface Searches {
  readonly share: number;
  /** Milliseconds, medians over the rounds. */
  readonly p50: number;
  readonly p95: number;
  readonly recall: number;
}

/** What qualifies the figures of a contender, or why it has none. */
export interface Note {
  readonly contender: string;
  readonly size: number;
  readonly note: string;
}

export interface SizeOptions {
  readonly queries: readonly Float32Array[];
  readonly folder: string;
  /** Contenders that take part. */
  readonly names: ReadonlySet<string>;
  /** Most vectors for slow contenders. */
  readonly slowLimit: number;
  readonly rounds: number;
}

/** Queries for a slow contender. Long pauses between the others' queries would cool the caches for all. */
const SLOW_QUERIES = 20;

/** Builds each contender alone, then asks all of them in turn, so that noise of the machine affects all. */
export async function measureSize(
  vectors: VectorFile,
  options: SizeOptions,
): Promise<{ readonly results: readonly ContenderResult[]; readonly notes: readonly Note[] }> {
  const { names, slowLimit } = options;
  const size = vectors.count;
  const prepared: PreparedContender[] = [];
  const notes: Note[] = [];
  let truth: Truth | undefined;
  try {
    for (const named of CONTENDERS.filter(({ name }) => names.has(name))) {
      const note = (text: string) => notes.push({ contender: named.name, size, note: text });
      if (named.slow && size > slowLimit) {
        note(`omitted above ${slowLimit} vectors (--slow-limit)`);
        continue;
      }
      log(`${size} vectors: building ${named.name}`);
      const queries = named.slow ? options.queries.slice(0, SLOW_QUERIES) : options.queries;
      try {
        const contender = await prepareContender(named, { vectors, queries, folder: options.folder, truth });
        truth ??= contender.truth;
        prepared.push(contender);
        if (contender.built.unstored !== undefined) note(contender.built.unstored);
        if (queries.length < options.queries.length) note(`asked only the first ${queries.length} queries`);
      } catch (error) {
        // Without the truth nothing can be compared. The failure of any other contender is reported.
        if (truth === undefined) throw error;
        note(error instanceof Error ? error.message : String(error));
      }
    }
    log(`${size} vectors: ${options.rounds} rounds of queries`);
    const times = await askInTurn(prepared, options.rounds);
    return { results: prepared.map((one) => resultOf(one, { size, times: times.get(one) ?? new Map() })), notes };
  } finally {
    for (const { client } of prepared) await client.stop();
  }
}

/** Milliseconds of each round, by contender and share. */
type Times = Map<PreparedContender, Map<number, number[][]>>;

async function askInTurn(prepared: readonly PreparedContender[], rounds: number): Promise<Times> {
  const times: Times = new Map(prepared.map((contender) => [contender, new Map()]));
  for (let round = 0; round < rounds; round++) {
    for (const share of SHARES) {
      for (const contender of prepared) {
        if (!contender.recalls.has(share)) continue;
        const { queries, client } = contender;
        const { milliseconds } = await client.round({ queries, limit: LIMIT, below: belowOf(share) });
        const byShare = times.get(contender);
        byShare?.set(share, [...(byShare.get(share) ?? []), [...milliseconds]]);
      }
    }
  }
  return times;
}

function resultOf(
  { named, built, opened, setting, queries, recalls }: PreparedContender,
  { size, times }: { readonly size: number; readonly times: ReadonlyMap<number, readonly number[][]> },
): ContenderResult {
  const at = (share: number, part: number) => median((times.get(share) ?? []).map((round) => quantile(round, part)));
  return {
    contender: named.name,
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
