import type { WeaviateClient } from 'weaviate-client';
import type { NodeAddress } from './cluster-options.js';
import { Membership, type View } from './membership.js';
import type { WeaviateModule } from './weaviate-client.js';

/** The connections to a node. */
export interface NodeConnection {
  readonly client: WeaviateClient;
  /**
   * For inserting: `insertMany` of the other one waits 500 ms for each batch. For objects by their ids: it compares
   * the replicas, the other one asks for them by a query. See docs/decisions/128.
   */
  readonly rest: ReturnType<WeaviateModule['weaviateV2']['client']>;
  readonly membership: Membership;
}

/** What a node answers of the nodes that it sees, each with the members of the log that the schema is kept in. */
interface Statistics {
  readonly statistics: readonly {
    readonly name: string;
    readonly raft?: { readonly latestConfiguration?: readonly { readonly id: string }[] };
  }[];
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
  const rest = weaviateV2.client({
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
    const membership = new Membership(address.shown, () => viewOf(address, apiKey));
    return { client, rest, membership };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Asks a node which others it sees; the clients have no call for it. */
async function viewOf({ host, port, secure }: NodeAddress, apiKey: string | undefined): Promise<View> {
  const response = await fetch(`${secure ? 'https' : 'http'}://${host}:${port}/v1/cluster/statistics`, {
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(1000 * TIMEOUT.query),
  });
  if (!response.ok) throw new Error(`/v1/cluster/statistics was answered with ${response.status}`);
  const { statistics } = (await response.json()) as Statistics;
  const members = statistics.flatMap(({ raft }) => raft?.latestConfiguration ?? []).map(({ id }) => id);
  const seen = statistics.map(({ name }) => name);
  return { seen, all: [...new Set([...members, ...seen])] };
}
