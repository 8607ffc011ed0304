import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { belowOf, SHARES } from './bucket.js';
import { meanRecall } from './recall.js';
import type { Built, Opened } from './requests.js';
import { SideProcess } from './side-client.js';
import type { NamedSide } from './sides/sides.js';
import type { VectorFile } from './vector-file.js';

export const LIMIT = 10;

/** Recall from which on a side counts as finding what there is. */
export const ENOUGH = 0.99;

/** A side that holds the vectors and waits for rounds of queries. */
export interface Ready {
  readonly named: NamedSide;
  readonly process: SideProcess;
  readonly built: Built;
  readonly opened: Opened;
  readonly setting: string;
  /** Those of all sides, or for a slow one the first few. */
  readonly queries: readonly Float32Array[];
  /** By the share that the filter passes. */
  readonly recalls: ReadonlyMap<number, number>;
}

/** The exact neighbours of all queries, by the share that the filter passes. */
export type Truth = ReadonlyMap<number, readonly (readonly number[])[]>;

export interface ReadyOptions {
  readonly vectors: VectorFile;
  readonly queries: readonly Float32Array[];
  readonly folder: string;
  /** Undefined for the side that gives it. */
  readonly truth: Truth | undefined;
}

/** Builds in one process and loads in another, so that what building leaves behind is not counted as memory. */
export async function makeReady(
  named: NamedSide,
  { vectors, queries, folder: parent, truth }: ReadyOptions,
): Promise<Ready & { readonly truth: Truth }> {
  const folder = path.join(parent, named.name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const place = { vectors, folder };
  const built = await building(named, (builder) => builder.build(place));
  const process = new SideProcess(named.name);
  try {
    const opened = await process.open(place);
    const exact = truth ?? (await truthOf(process, queries));
    const setting = await careful(process, { opened, queries, exact: exact.get(1) ?? [] });
    const recalls = await recallsOf(process, { shares: opened.filters ? SHARES : [1], queries, truth: exact });
    return { named, process, built, opened, setting, queries, recalls, truth: exact };
  } catch (error) {
    await process.stop();
    throw error;
  }
}

async function building(named: NamedSide, work: (builder: SideProcess) => Promise<Built>): Promise<Built> {
  const builder = new SideProcess(named.name);
  try {
    return await work(builder);
  } finally {
    await builder.stop();
  }
}

async function truthOf(process: SideProcess, queries: readonly Float32Array[]): Promise<Truth> {
  const truth = new Map<number, readonly (readonly number[])[]>();
  for (const share of SHARES) {
    const { ids } = await process.round({ queries, limit: LIMIT, below: belowOf(share) });
    truth.set(share, ids);
  }
  return truth;
}

/** Goes from setting to setting until enough is found, or there are no more. */
async function careful(
  process: SideProcess,
  options: { opened: Opened; queries: readonly Float32Array[]; exact: readonly (readonly number[])[] },
): Promise<string> {
  const { opened, queries, exact } = options;
  let used = '';
  for (const [setting, name] of opened.settings.entries()) {
    await process.use(setting);
    used = name;
    const { ids } = await process.round({ queries, limit: LIMIT, below: undefined });
    if (meanRecall(ids, exact.slice(0, queries.length)) >= ENOUGH) break;
  }
  return used;
}

async function recallsOf(
  process: SideProcess,
  { shares, queries, truth }: { shares: readonly number[]; queries: readonly Float32Array[]; truth: Truth },
): Promise<Map<number, number>> {
  const recalls = new Map<number, number>();
  for (const share of shares) {
    const { ids } = await process.round({ queries, limit: LIMIT, below: belowOf(share) });
    recalls.set(share, meanRecall(ids, (truth.get(share) ?? []).slice(0, queries.length)));
  }
  return recalls;
}
