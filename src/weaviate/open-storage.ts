import type { OnStage } from '../storage/stage.js';
import type { Storage } from '../storage/storage.js';
import type { ClusterOptions } from './connection/cluster-options.js';

export async function openWeaviateStorage(
  _cluster: ClusterOptions,
  _options: { create: boolean; stem: (term: string) => string; onStage: OnStage | undefined },
): Promise<Storage> {
  throw new Error('not yet');
}
