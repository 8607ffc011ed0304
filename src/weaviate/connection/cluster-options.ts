/** How many replicas must confirm a write, and answer a read, before it counts. */
export type Consistency = 'ONE' | 'QUORUM' | 'ALL';

/** How to reach a Weaviate cluster. */
export interface ClusterOptions {
  /**
   * Addresses of nodes, such as `http://10.0.0.1:8080`. Their gRPC port defaults to 50051; another one is given as
   * `http://10.0.0.1:8080?grpc=50052`. Any node serves any request; one that fails is left for the next.
   */
  readonly hosts: readonly string[];
  /** Sent to every node. Defaults to none. */
  readonly apiKey?: string | undefined;
  /** Replicas of everything, when Waymark creates its collections. Defaults to 3, or to the number of nodes if less. */
  readonly replication?: number | undefined;
  /** Defaults to `QUORUM`: what a write has acknowledged, every later read finds, while most replicas are up. */
  readonly consistency?: Consistency | undefined;
  /**
   * Folder that indexed folders are recorded relative to, so that several machines mean the same one. Defaults to the
   * working folder.
   */
  readonly base?: string | undefined;
}

/** The addresses of one node. */
export interface NodeAddress {
  /** As it was given, shown to people. */
  readonly shown: string;
  readonly host: string;
  readonly port: number;
  readonly grpcPort: number;
  readonly secure: boolean;
}

/** The default port of gRPC in Weaviate. */
const GRPC_PORT = 50051;

/** The address of a node; undefined if it is not an `http` or `https` URL with nothing else than `grpc`. */
export function nodeAddress(shown: string): NodeAddress | undefined {
  if (!URL.canParse(shown)) return undefined;
  const url = new URL(shown);
  if (!/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.hash || url.username) return undefined;
  // A misspelt one must not mean the default port.
  if ([...url.searchParams.keys()].some((name) => name !== 'grpc')) return undefined;
  const secure = url.protocol === 'https:';
  const grpc = url.searchParams.get('grpc');
  const grpcPort = grpc === null ? GRPC_PORT : Number(grpc);
  if (!Number.isInteger(grpcPort) || grpcPort < 1 || grpcPort > 65_535) return undefined;
  return { shown, host: url.hostname, port: Number(url.port) || (secure ? 443 : 80), grpcPort, secure };
}
