import { WaymarkError } from '../../domain/errors.js';

/** The module that clusters are reached with. It is loaded only then. */
export type WeaviateModule = typeof import('weaviate-client');

/** Loads weaviate-client, an optional dependency. Throws `CLUSTER_CLIENT_MISSING`. */
export async function loadWeaviateClient(): Promise<WeaviateModule> {
  try {
    const loaded = await import('weaviate-client');
    await turnOffRetries();
    return loaded;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new WaymarkError(
      'CLUSTER_CLIENT_MISSING',
      'A cluster is reached with the package weaviate-client, which is not installed: run npm install weaviate-client' +
        ' (weaviate-client@3.12 on Node 20).',
      { cause },
    );
  }
}

/**
 * The client asks a node that does not answer four times more, for half a minute, and prints a stack each time. A
 * `Cluster` asks another node at once. There is no option for it.
 */
async function turnOffRetries(): Promise<void> {
  const internal = new URL('grpc/retry.js', import.meta.resolve('weaviate-client')).href;
  // Another version of the client may have it elsewhere: then a dead node costs more time.
  const module = await import(internal).catch(() => undefined);
  if (module?.retryOptions) module.retryOptions.retry = false;
}
