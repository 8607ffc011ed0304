import type { WeaviateClient } from 'weaviate-client';
import type { NodeAddress } from './cluster-options.js';
import type { WeaviateModule } from './weaviate-client.js';

/** The connections to a node. */
export interface NodeConnection {
  readonly client: WeaviateClient;
  /** For inserting: `insertMany` of the other one waits 500 ms for each batch. See docs/decisions/128. */
  readonly batches: ReturnType<WeaviateModule['weaviateV2']['client']>;
}

/** Seconds that a request may take. */
const TIMEOUT = { init: 10, query: 10, insert: 30 };

/** Opens the connections to a node; the first request has been answered then. */
export async function connectNode(
  { default: weaviate, weaviateV2, ApiKey }: WeaviateModule,
  { address, apiKey }: { readonly address: NodeAddress; readonly apiKey: string | undefined },
): Promise<NodeConnection> {
  const { host, port, grpcPort, secure } = address;
  const key = apiKey === undefined ? undefined : new ApiKey(apiKey);
  const batches = weaviateV2.client({
    ...{ scheme: secure ? 'https' : 'http', host: `${host}:${port}`, timeout: TIMEOUT },
    ...(key && { apiKey: key }),
  });
  const client = await weaviate.connectToCustom({
    ...{ httpHost: host, httpPort: port, httpSecure: secure, grpcHost: host, grpcPort, grpcSecure: secure },
    ...{ timeout: TIMEOUT, skipInitChecks: true },
    ...(key && { authCredentials: key }),
  });
  try {
    // The client asks for the version whenever a collection is named, and nobody awaits a failure of that. Once it is
    // known it is not asked for again.
    await client.getWeaviateVersion();
    return { client, batches };
  } catch (error) {
    await client.close();
    throw error;
  }
}
