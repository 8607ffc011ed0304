import type { Storage } from '../storage/storage.js';
import { Cluster } from './connection/cluster.js';
import type { ClusterOptions } from './connection/cluster-options.js';
import { checkSchema, prepareSchema } from './schema/prepare-schema.js';
import { WeaviateStorage, type WeaviateStorageOptions } from './weaviate-storage.js';

/** How to open a cluster. */
export interface OpenClusterOptions extends Omit<WeaviateStorageOptions, 'base'> {
  /** Whether to create what is missing. */
  readonly create: boolean;
}

/**
 * Opens a cluster with everything in it. Throws `INDEX_MISSING` if there is nothing of Waymark in it and `create` is
 * false, `INVALID_ARGUMENT`, `CLUSTER_CLIENT_MISSING`, `CLUSTER_INCOMPATIBLE`, `CLUSTER_UNAVAILABLE`,
 * `CLUSTER_UNAUTHORIZED`.
 */
export async function openWeaviateStorage(
  { base = process.cwd(), replication, ...options }: ClusterOptions,
  { create, ...rest }: OpenClusterOptions,
): Promise<Storage> {
  const cluster = await Cluster.open(options);
  try {
    if (create) await prepareSchema(cluster, replication);
    else await checkSchema(cluster);
    return new WeaviateStorage(cluster, { ...rest, base });
  } catch (error) {
    cluster.close();
    throw error;
  }
}
