import { WaymarkError } from '../../domain/errors.js';
import type { Cluster } from '../connection/cluster.js';
import { ACCOUNTS, CONTENTS, FILES, PASSAGES, PROPERTIES, RECORDS, RELEASE } from './collections.js';

/** The oldest Weaviate that has everything that Waymark uses. */
const OLDEST = [1, 35] as const;

/** The copies of everything, unless the cluster has fewer nodes. */
const REPLICATION = 3;

/** BM25 and HNSW as the embedded engine has them; see docs/decisions/128. */
const BM25 = { k1: 1.2, b: 0.75 };
const HNSW = { efConstruction: 200, maxConnections: 16 };

/**
 * Checks a cluster, and creates Waymark's collections where they are missing. Throws `CLUSTER_INCOMPATIBLE`,
 * `CLUSTER_UNAVAILABLE`.
 */
export async function prepareSchema(cluster: Cluster, replication: number | undefined): Promise<void> {
  const missing = await missingOf(cluster);
  if (missing.length === 0) return;
  // Of all nodes: the others have forgotten one that is down.
  const factor = replication ?? Math.min(REPLICATION, (await cluster.members()).length);
  for (const name of missing) await create(cluster, { name, factor });
}

/** Checks a cluster, and creates nothing. Throws `INDEX_MISSING`, `CLUSTER_INCOMPATIBLE`, `CLUSTER_UNAVAILABLE`. */
export async function checkSchema(cluster: Cluster): Promise<void> {
  const missing = await missingOf(cluster);
  if (missing.length === 0) return;
  const message = `Nothing is indexed in the cluster ${cluster.location}. Index a folder with: waymark index <folder>`;
  throw new WaymarkError('INDEX_MISSING', message);
}

/** The collections that are missing. Throws `CLUSTER_INCOMPATIBLE`. */
async function missingOf(cluster: Cluster): Promise<string[]> {
  const nodes = await cluster.request((client) => client.cluster.nodes());
  // A node that is down has no version.
  for (const { name, version, status } of nodes) if (status === 'HEALTHY') assertVersion(name, version);
  const existing = await cluster.request((client) => client.collections.listAll());
  const present = new Map(existing.map((collection) => [collection.name, collection.description ?? '']));
  const missing: string[] = [];
  for (const name of [ACCOUNTS, FILES, RECORDS, CONTENTS, PASSAGES]) {
    const description = present.get(name);
    if (description === undefined) missing.push(name);
    else assertRelease(name, description);
  }
  return missing;
}

/** The description of each collection. */
const DESCRIPTION = `Waymark, release ${RELEASE} of the schema`;

async function create(cluster: Cluster, { name, factor }: { name: string; factor: number }): Promise<void> {
  const { configure, vectors } = cluster.weaviate;
  try {
    await cluster.request((client) =>
      client.collections.create({
        name,
        description: DESCRIPTION,
        replication: configure.replication({ factor, asyncEnabled: true, deletionStrategy: 'TimeBasedResolution' }),
        multiTenancy: configure.multiTenancy({ enabled: name !== ACCOUNTS }),
        invertedIndex: configure.invertedIndex({ bm25k1: BM25.k1, bm25b: BM25.b, stopwordsPreset: 'none' }),
        ...(name === PASSAGES && {
          vectorizers: vectors.selfProvided({
            vectorIndexConfig: configure.vectorIndex.hnsw({ ...HNSW, distanceMetric: 'cosine' }),
          }),
        }),
        properties: (PROPERTIES[name] ?? []).map((property) => ({ ...property })),
      }),
    );
  } catch (error) {
    // Another process may have created it at the same moment.
    if (!(await cluster.request((client) => client.collections.exists(name)))) throw error;
  }
}

function assertVersion(node: string, version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new WaymarkError(
    'CLUSTER_INCOMPATIBLE',
    `Node ${node} runs Weaviate ${version}, but Waymark needs ${OLDEST.join('.')} or later: update the cluster.`,
  );
}

function assertRelease(name: string, description: string): void {
  if (description === DESCRIPTION) return;
  throw new WaymarkError(
    'CLUSTER_INCOMPATIBLE',
    `The collection ${name} has the description "${description}", but this release of Waymark reads ` +
      `"${DESCRIPTION}": use the release that wrote it.`,
  );
}
