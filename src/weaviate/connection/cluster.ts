import { setTimeout } from 'node:timers/promises';
import type { Collection, FilterValue, WeaviateClient } from 'weaviate-client';
import { WaymarkError } from '../../domain/errors.js';
import { ACCOUNTS } from '../schema/collections.js';
import { clusterError, mayPass, saysTooFew } from './cluster-error.js';
import { type ClusterOptions, type Consistency, type NodeAddress, nodeAddress } from './cluster-options.js';
import { InsertQueue } from './insert-queue.js';
import type { StoredObject } from './stored-object.js';
import { loadWeaviateClient, type WeaviateModule } from './weaviate-client.js';
import { Writability } from './writability.js';

/** A collection as queries use it. */
export type Objects = Collection<undefined, string>;

/** Finds a collection; `tenant` is the part of it that belongs to one bot. */
export type Finder = (collection: string, tenant?: string) => Objects;

/** A collection, or the part of it that belongs to one bot. */
export interface Place {
  readonly collection: string;
  readonly tenant?: string | undefined;
}

/** Objects that one query or deletion reaches, by Weaviate's default. */
export const REACH = 10_000;

/** Objects that are read at a time. */
export const PAGE = 1000;

/** The connections to a node. */
interface Node {
  readonly client: WeaviateClient;
  /** For inserting: `insertMany` of the other one waits 500 ms for each batch. See docs/decisions/128. */
  readonly batches: ReturnType<WeaviateModule['weaviateV2']['client']>;
}

/** How often a request is tried before it fails; the pause doubles, beginning at 50 ms. */
const ATTEMPTS = 7;

/** Milliseconds for which writes do not wait for all replicas after one was down, at least. */
const DEGRADED = 5_000;

/** Seconds that a request may take. */
const TIMEOUT = { init: 10, query: 10, insert: 30 };

/** Milliseconds after which a request that every node has failed is not tried again. */
const PATIENCE = 10_000;

/** A connection to a Weaviate cluster. A request that a node cannot serve goes to the next one. */
export class Cluster {
  readonly consistency: Consistency;
  readonly hosts: readonly string[];
  /** How often something waited for the cluster: requests that are sent together count once. */
  roundTrips = 0;
  readonly #module: WeaviateModule;
  readonly #addresses: readonly NodeAddress[];
  readonly #apiKey: string | undefined;
  readonly #nodes = new Map<number, Promise<Node>>();
  readonly #queues = new Map<string, InsertQueue>();
  readonly #writability = new Writability(() =>
    this.#attempt(({ client }) => client.cluster.nodes({ collection: ACCOUNTS, output: 'verbose' }), 1),
  );
  #current = 0;
  /** Until when writes do not wait for all replicas, since one was down; in milliseconds of the process's clock. */
  #degradedUntil = 0;
  #isClosed = false;

  private constructor(module: WeaviateModule, { hosts, apiKey, consistency = 'QUORUM' }: ClusterOptions) {
    this.#module = module;
    this.#apiKey = apiKey;
    this.consistency = consistency;
    this.hosts = hosts;
    this.#addresses = hosts.map((shown) => {
      const address = nodeAddress(shown);
      if (address) return address;
      const wanted = 'pass one such as http://10.0.0.1:8080, or http://10.0.0.1:8080?grpc=50052';
      throw new WaymarkError('INVALID_ARGUMENT', `"${shown}" is not the address of a node: ${wanted}`);
    });
  }

  /** Throws `CLUSTER_CLIENT_MISSING`, `INVALID_ARGUMENT`. Nothing is sent yet. */
  static async open(options: ClusterOptions): Promise<Cluster> {
    return new Cluster(await loadWeaviateClient(), options);
  }

  /** Shown to people. */
  get location(): string {
    return this.hosts.join(', ');
  }

  /** Combines filters. */
  get filters(): WeaviateModule['Filters'] {
    return this.#module.Filters;
  }

  /** What collections are configured with. */
  get weaviate(): WeaviateModule {
    return this.#module;
  }

  /** Sends requests that wait for each other only at the end; they must be safe to repeat. Counts as one round trip. */
  async roundTrip<T>(send: (find: Finder) => Promise<T>): Promise<T> {
    return this.request((client) => send(this.#finder(client, this.consistency)));
  }

  /**
   * A round trip that writes. It waits for all replicas, since a search asks only one of them; while a replica is down,
   * for as many as `consistency` says.
   */
  async write<T>(send: (find: Finder) => Promise<T>): Promise<T> {
    return this.#writing(({ client }, consistency) => send(this.#finder(client, consistency)));
  }

  /** Like `roundTrip`, for what is not about the objects of a collection. Throws `CLUSTER_…`, `ENGINE_CLOSED`. */
  async request<T>(send: (client: WeaviateClient) => Promise<T>): Promise<T> {
    return this.#attempt(({ client }) => send(client));
  }

  /**
   * Inserts or replaces objects. What several callers insert at once goes in common requests. Throws `CLUSTER_…`.
   */
  async insert(place: Place, objects: readonly StoredObject[]): Promise<void> {
    const name = `${place.collection} ${place.tenant ?? ''}`;
    const queue = this.#queues.get(name) ?? new InsertQueue((some) => this.#send(place, some));
    this.#queues.set(name, queue);
    await queue.insert(objects);
  }

  /** Deletes all objects that pass a condition. */
  async deleteWhere({ collection, tenant }: Place, condition: (objects: Objects) => FilterValue): Promise<void> {
    for (;;) {
      const { matches } = await this.write((find) => {
        const objects = find(collection, tenant);
        return objects.data.deleteMany(condition(objects));
      });
      // A call deletes a limited number.
      if (matches < REACH) return;
    }
  }

  /** The values of a property of all objects, a page at a time. */
  async *pages({ collection, tenant }: Place, property: string): AsyncGenerator<readonly string[]> {
    for (let after: string | undefined; ; ) {
      const { objects } = await this.roundTrip((find) =>
        find(collection, tenant).query.fetchObjects({
          ...{ limit: PAGE, returnProperties: [property] },
          ...(after !== undefined && { after }),
        }),
      );
      yield objects.map(({ properties }) => String(properties[property]));
      after = objects.at(-1)?.uuid;
      if (objects.length < PAGE) return;
    }
  }

  /** Closes all connections; calls fail from now on. */
  close(): void {
    this.#isClosed = true;
    for (const node of this.#nodes.values()) node.then(({ client }) => client.close()).catch(() => {});
    this.#nodes.clear();
  }

  async #writing<T>(send: (node: Node, consistency: Consistency) => Promise<T>): Promise<T> {
    const { consistency } = this;
    await this.#writability.check();
    const at = (level: Consistency, attempts?: number) => this.#attempt((node) => send(node, level), attempts);
    if (consistency === 'ALL' || performance.now() < this.#degradedUntil) return at(consistency);
    const started = performance.now();
    try {
      return await at('ALL', 1);
    } catch (error) {
      if (!(error instanceof WaymarkError) || error.code !== 'CLUSTER_UNAVAILABLE') throw error;
      const now = performance.now();
      // A replica that does not even refuse holds up each write that waits for it.
      this.#degradedUntil = now + Math.max(DEGRADED, 4 * (now - started));
      return at(consistency);
    }
  }

  async #attempt<T>(send: (node: Node) => Promise<T>, attempts = ATTEMPTS): Promise<T> {
    this.roundTrips += 1;
    const started = performance.now();
    let telling: unknown;
    for (let attempt = 1; ; attempt++) {
      if (this.#isClosed) throw new WaymarkError('ENGINE_CLOSED', 'The connection to the cluster has been closed');
      const number = this.#current;
      try {
        return await send(await this.#node(number));
      } catch (error) {
        if (error instanceof WaymarkError) throw error;
        const isTooLate = attempt >= this.#addresses.length && performance.now() - started > PATIENCE;
        if (saysTooFew(error)) telling = error;
        if (!mayPass(error)) throw clusterError(error, this.hosts);
        if (attempt === attempts || isTooLate) throw clusterError(telling ?? error, this.hosts);
        // Others may have left the node meanwhile.
        if (this.#current === number) this.#current = (number + 1) % this.#addresses.length;
        if (attempt >= this.#addresses.length) await setTimeout(50 * 2 ** (attempt - this.#addresses.length));
      }
    }
  }

  /** Sends objects in one request; returns the errors of those that could not be stored. */
  async #send({ collection, tenant }: Place, objects: readonly StoredObject[]): Promise<Map<number, Error>> {
    const batch = objects.map(({ id, properties, vector }) => ({
      ...{ class: collection, id, properties: { ...properties } },
      ...(tenant !== undefined && { tenant }),
      ...(vector && { vectors: { default: Array.from(vector) } }),
    }));
    return this.#writing(async ({ batches }, consistency) => {
      // The types of the client know no vectors but objects.
      const batcher = batches.batch.objectsBatcher().withObjects(...(batch as object[]));
      const results = await batcher.withConsistencyLevel(consistency).do();
      const messages = results.map(({ result }) => result?.errors?.error?.map(({ message }) => message).join('; '));
      const failed = messages.flatMap((message, i) => (message ? [[i, new Error(message)] as const] : []));
      const passing = failed.find(([, error]) => mayPass(error));
      // To be tried again: what is stored already is stored once more.
      if (passing) throw passing[1];
      return new Map(failed.map(([i, error]) => [i, clusterError(error, this.hosts)]));
    });
  }

  #finder(client: WeaviateClient, consistency: Consistency): Finder {
    return (name, tenant) => {
      const collection = client.collections.use<string>(name);
      const ofTenant = tenant === undefined ? collection : collection.withTenant(tenant);
      return ofTenant.withConsistency(consistency);
    };
  }

  #node(number: number): Promise<Node> {
    const known = this.#nodes.get(number);
    if (known) return known;
    const { default: weaviate, weaviateV2, ApiKey } = this.#module;
    const { host, port, grpcPort, secure } = this.#addresses[number] as NodeAddress;
    const key = this.#apiKey === undefined ? undefined : new ApiKey(this.#apiKey);
    const batches = weaviateV2.client({
      ...{ scheme: secure ? 'https' : 'http', host: `${host}:${port}`, timeout: TIMEOUT },
      ...(key && { apiKey: key }),
    });
    const opened = weaviate
      .connectToCustom({
        ...{ httpHost: host, httpPort: port, httpSecure: secure, grpcHost: host, grpcPort, grpcSecure: secure },
        ...{ timeout: TIMEOUT, skipInitChecks: true },
        ...(key && { authCredentials: key }),
      })
      .then(async (client) => {
        // The client asks for the version whenever a collection is named, and nobody awaits a failure of that. Once it
        // is known it is not asked for again.
        await client.getWeaviateVersion().catch(async (error) => {
          await client.close();
          throw error;
        });
        return { client, batches };
      });
    opened.catch(() => this.#nodes.delete(number));
    this.#nodes.set(number, opened);
    return opened;
  }
}

/** A list in pages of at most `size` items. */
export function pagesOf<Item>(items: readonly Item[], size: number): (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
