import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { neighbourRecall } from '../support/measures/neighbour-recall.js';
import { belowOf, SHARES } from './buckets.js';
import { ContenderClient } from './contender-client.js';
import type { NamedContender } from './contenders/contenders.js';
import type { Built, Opened } from './requests.js';
import type { VectorFile } from './vector-file.js';

/** Neighbours per search. */
export const LIMIT = 10;

/** Recall from which a contender counts as correct. */
export const CORRECT = 0.99;

/** A contender that has loaded its index and waits for rounds of queries. */
export interface PreparedContender {
  readonly named: NamedContender;
  readonly client: ContenderClient;
  readonly built: Built;
  readonly opened: Opened;
  readonly setting: string;
  /** All queries, or for a slow contender the first few. */
  readonly queries: readonly Float32Array[];
  /** Recall by the share that the filter passes. */
  readonly recalls: ReadonlyMap<number, number>;
}

type Neighbours = readonly (readonly number[])[];

/** The exact neighbours of each query, by the share that the filter passes. */
export type Truth = ReadonlyMap<number, Neighbours>;

export interface PrepareOptions {
  readonly vectors: VectorFile;
  readonly queries: readonly Float32Array[];
  readonly folder: string;
  /** Undefined for the contender that determines it. */
  readonly truth: Truth | undefined;
}

/** Builds in one process and opens in another, so that what building leaves behind does not count as memory. */
export async function prepareContender(
  named: NamedContender,
  { vectors, queries, folder: parent, truth }: PrepareOptions,
): Promise<PreparedContender & { readonly truth: Truth }> {
  const folder = path.join(parent, named.name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const place = { vectors, folder };
  const built = await buildInProcess(named, (builder) => builder.build(place));
  const client = new ContenderClient(named.name);
  try {
    const opened = await client.open(place);
    const exact = truth ?? (await truthOf(client, queries));
    const setting = await chooseSetting(client, { opened, queries, exact: exact.get(1) ?? [] });
    const recalls = await recallsOf(client, { shares: opened.filters ? SHARES : [1], queries, truth: exact });
    return { named, client, built, opened, setting, queries, recalls, truth: exact };
  } catch (error) {
    await client.stop();
    throw error;
  }
}

async function buildInProcess(
  named: NamedContender,
  work: (builder: ContenderClient) => Promise<Built>,
): Promise<Built> {
  const builder = new ContenderClient(named.name);
  try {
    return await work(builder);
  } finally {
    await builder.stop();
  }
}

async function truthOf(client: ContenderClient, queries: readonly Float32Array[]): Promise<Truth> {
  const truth = new Map<number, Neighbours>();
  for (const share of SHARES) {
    const { ids } = await client.round({ queries, limit: LIMIT, below: belowOf(share) });
    truth.set(share, ids);
  }
  return truth;
}

/** Uses the fastest setting that is correct, or the most thorough one if none is. */
async function chooseSetting(
  client: ContenderClient,
  { opened, queries, exact }: { opened: Opened; queries: readonly Float32Array[]; exact: Neighbours },
): Promise<string> {
  let used = '';
  for (const [setting, name] of opened.settings.entries()) {
    await client.use(setting);
    used = name;
    const { ids } = await client.round({ queries, limit: LIMIT, below: undefined });
    if (meanRecall(ids, exact) >= CORRECT) break;
  }
  return used;
}

async function recallsOf(
  client: ContenderClient,
  { shares, queries, truth }: { shares: readonly number[]; queries: readonly Float32Array[]; truth: Truth },
): Promise<Map<number, number>> {
  const recalls = new Map<number, number>();
  for (const share of shares) {
    const { ids } = await client.round({ queries, limit: LIMIT, below: belowOf(share) });
    recalls.set(share, meanRecall(ids, truth.get(share) ?? []));
  }
  return recalls;
}

/** Mean over the queries that were asked, which may be the first few. */
function meanRecall(found: Neighbours, exact: Neighbours): number {
  return found.reduce((sum, ids, query) => sum + neighbourRecall(ids, exact[query] ?? []), 0) / found.length;
}
