import { WaymarkError } from '../../domain/errors.js';

/** The module that clusters are reached with. It is loaded only then. */
export type WeaviateModule = typeof import('weaviate-client');

/** Loads weaviate-client, an optional dependency. Throws `CLUSTER_CLIENT_MISSING`. */
export async function loadWeaviateClient(): Promise<WeaviateModule> {
  try {
    return await import('weaviate-client');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new WaymarkError(
      'CLUSTER_CLIENT_MISSING',
      'A cluster is reached with the package weaviate-client, which is not installed: run npm install weaviate-client' +
        ' (weaviate-client@3.12 on Node 20)',
      { cause },
    );
  }
}
