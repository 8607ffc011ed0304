import { statSync } from 'node:fs';
import path from 'node:path';
import { type Embedder, openEngine, type SearchEngine } from 'waymark';
import { SearchClock } from '../query/search-clock.js';
import { inTemporaryFolder } from '../support/folders/temporary-folder.js';
import { writeDocuments } from '../support/synthetic/write-documents.js';
import { type OwnCluster, startOwnCluster } from './own-cluster.js';

/** An engine with a clock for its searches. */
export interface TimedEngine {
  readonly engine: SearchEngine;
  readonly clock: SearchClock;
}

/** The embedded engine and one over a cluster of three nodes, both empty. */
export interface BothEngines {
  readonly database: TimedEngine;
  readonly cluster: TimedEngine;
  /** MB of the database. */
  readonly databaseSize: () => number;
  readonly nodes: OwnCluster['nodes'];
  /** Folder of the documents to be indexed. */
  readonly documents: string;
}

/** Runs work with two engines of the same embedder, and with made-up documents of so many passages. */
export function withBothEngines<Result>(
  openEmbedder: () => Promise<Embedder>,
  { passages }: { readonly passages: number },
  work: (both: BothEngines) => Promise<Result>,
): Promise<Result> {
  return inTemporaryFolder(async (folder) => {
    const documents = path.join(folder, 'documents');
    writeDocuments(documents, { passages });
    const file = path.join(folder, 'waymark.db');
    return withCluster(async ({ hosts, nodes }) => {
      const database = await open(await openEmbedder(), { database: file });
      try {
        const cluster = await open(await openEmbedder(), { cluster: { hosts } });
        try {
          const databaseSize = () => statSync(file).size / 1e6;
          return await work({ database, cluster, databaseSize, nodes, documents });
        } finally {
          await cluster.engine.close();
        }
      } finally {
        await database.engine.close();
      }
    });
  });
}

/** Runs work with a cluster that is stopped afterwards. */
export async function withCluster<Result>(work: (cluster: OwnCluster) => Promise<Result>): Promise<Result> {
  const cluster = startOwnCluster();
  try {
    return await work(cluster);
  } finally {
    cluster.stop();
  }
}

async function open(
  model: Embedder,
  where: { readonly database: string } | { readonly cluster: { readonly hosts: readonly string[] } },
): Promise<TimedEngine> {
  const clock = new SearchClock();
  return { clock, engine: await openEngine({ ...where, model, onStage: clock.onStage }) };
}
