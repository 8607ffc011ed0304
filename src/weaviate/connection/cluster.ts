import { setTimeout } from 'node:timers/promises';
import type { FilterValue, WeaviateClient } from 'weaviate-client';
import { hasCode, WaymarkError } from '../../domain/errors.js';
import { RequestBatcher } from '../../domain/scheduling/request-batcher.js';
import { ACCOUNTS } from '../schema/collections.js';
import { clusterError, isRetryable, isTooFewReplicas } from './cluster-error.js';
import { type ClusterOptions, type Consistency, type NodeAddress, nodeAddress } from './cluster-options.js';
import { connectNode, type NodeConnection } from './node-connection.js';
import type { Objects } from './objects.js';
import { storedBody } from './stored-body.js';
import { type StoredObject, sizeOf } from './stored-object.js';
import { loadWeaviateClient, type WeaviateModule } from './weaviate-client.js';
import { Writability } from './writability.js';

/** Finds a collection, or one of its tenants: see `Partition`. */
export type Finder = (collection: string, tenant?: string) => Objects;

/** A collection, or its tenant: the part of it that belongs to one bot. */
export interface Partition {
  readonly collection: string;
  readonly tenant?: string | undefined;
}

/** Objects that one query or deletion reaches, by Weaviate's default. */
export const REACH = 10_000;

/** Objects that are read at a time. */
export const PAGE = 1000;

/** How often a request is tried before it fails; the pause doubles, beginning at 50 ms. */
const ATTEMPTS = 7;

/** Milliseconds for which writes do not wait for all replicas after one was down, at least. */
const DEGRADED = 5_000;

/** Objects that are inserted together; more requests at once make the cluster slower for searches. */
const INSERTS = { items: 256, bytes: 4_000_000, sizeOf, running: 2 };

/** Objects that are read by their ids at the same time. */
const READS = { items: 50, running: 2 };

/** Milliseconds after which a request that every node has failed is not tried again. */
const RETRY_LIMIT = 10_000;

/** A connection to a Weaviate cluster. A request that a node cannot serve goes to the next one. */
export class Cluster {
  readonly consistency: Consistency;
  readonly hosts: readonly string[];
  /** How often something waited for the cluster: requests that are sent together count once. */
  roundTrips = 0;
  readonly #module: WeaviateModule;
  readonly #addresses: readonly NodeAddress[];
  readonly #apiKey: string | undefined;
  readonly #nodes = new Map<number, Promise<NodeConnection>>();
  /** Of each partition. */
  readonly #inserts = new Map<string, RequestBatcher<StoredObject, undefined>>();
  readonly #reads = new Map<string, RequestBatcher<string, string | undefined>>();
  readonly #writability = new Writability(() =>
    this.#attempt(({ client }) => client.cluster.nodes({ collection: ACCOUNTS, output: 'verbose' }), 1),
  );
  /** The node that is asked. */
  #current: number;
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
      const wanted = 'pass one such as http://10.0.0.1:8080, or http://10.0.0.1:8080?grpc=50052.';
      throw new WaymarkError('INVALID_ARGUMENT', `"${shown}" is not the address of a node: ${wanted}`);
    });
    // So that processes spread over the nodes.
    this.#current = Math.floor(Math.random() * this.#addresses.length);
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

  /** Names of all nodes that belong to the cluster, those included that are down or cut off. */
  async members(): Promise<readonly string[]> {
    return this.#attempt(({ membership }) => membership.members());
  }

  /** Like `roundTrip`, for what is not about the objects of a collection. Throws `CLUSTER_…`, `ENGINE_CLOSED`. */
  async request<T>(send: (client: WeaviateClient) => Promise<T>): Promise<T> {
    return this.#attempt(({ client }) => send(client));
  }

  /**
   * Inserts or replaces objects. What several callers insert at once goes in common requests. Throws `CLUSTER_…`.
   */
  async insert(partition: Partition, objects: readonly StoredObject[]): Promise<void> {
    const inserts = ofPartition(
      this.#inserts,
      partition,
      () => new RequestBatcher((some) => this.#insert(partition, some), INSERTS),
    );
    await Promise.all(objects.map((object) => inserts.submit(object)));
  }

  /**
   * The `body` of an object, by its id, as the last write has left it. Counts as one round trip with what others read
   * at the same moment.
   */
  body(partition: Partition, id: string): Promise<string | undefined> {
    const reads = ofPartition(
      this.#reads,
      partition,
      () => new RequestBatcher((ids) => this.#bodies(partition, ids), READS),
    );
    return reads.submit(id);
  }

  /** Deletes all objects that pass a condition. */
  async deleteWhere({ collection, tenant }: Partition, condition: (objects: Objects) => FilterValue): Promise<void> {
    for (;;) {
      const matches = await this.write(async (find) => {
        const objects = find(collection, tenant);
        const { matches: found, failed } = await objects.data.deleteMany(condition(objects));
        // Weaviate counts them without a reason: a replica was down, or took no changes.
        if (failed > 0) throw new Error(`${failed} of ${found} objects were not deleted: not enough replicas`);
        return found;
      });
      // A call deletes a limited number.
      if (matches < REACH) return;
    }
  }

  /** The values of a property of all objects, a page at a time. */
  async *pages({ collection, tenant }: Partition, property: string): AsyncGenerator<readonly string[]> {
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

  async #writing<T>(send: (node: NodeConnection, consistency: Consistency) => Promise<T>): Promise<T> {
    const { consistency } = this;
    await this.#writability.check();
    const at = (level: Consistency, attempts?: number) => this.#attempt((node) => send(node, level), attempts);
    if (consistency === 'ALL' || performance.now() < this.#degradedUntil) return at(consistency);
    // A write that waits for a node that is cut off takes half a minute.
    if (!(await this.#isWhole())) return at(consistency);
    const started = performance.now();
    try {
      return await at('ALL', 1);
    } catch (error) {
      if (!hasCode(error, 'CLUSTER_UNAVAILABLE')) throw error;
      const now = performance.now();
      // A replica that does not even refuse delays each write that waits for it.
      this.#degradedUntil = now + Math.max(DEGRADED, 4 * (now - started));
      return at(consistency);
    }
  }

  async #attempt<T>(send: (node: NodeConnection) => Promise<T>, attempts = ATTEMPTS): Promise<T> {
    this.roundTrips += 1;
    const started = performance.now();
    let informative: unknown;
    for (let attempt = 1; ; attempt++) {
      if (this.#isClosed)
        throw new WaymarkError('ENGINE_CLOSED', 'The connection to the cluster is closed: open the index again.');
      const number = this.#current;
      try {
        const node = await this.#node(number);
        if (this.consistency === 'ONE') return await send(node);
        const cutOff = node.membership.prepare();
        const result = await Promise.race([send(node), cutOff]);
        await node.membership.confirm();
        return result;
      } catch (error) {
        if (error instanceof WaymarkError) throw error;
        const isTooLate = attempt >= this.#addresses.length && performance.now() - started > RETRY_LIMIT;
        if (isTooFewReplicas(error)) informative = error;
        if (!isRetryable(error)) throw clusterError(error, this.hosts);
        if (attempt === attempts || isTooLate) throw clusterError(informative ?? error, this.hosts);
        // Others may have left the node meanwhile.
        if (this.#current === number) this.#current = (number + 1) % this.#addresses.length;
        if (attempt >= this.#addresses.length) await setTimeout(50 * 2 ** (attempt - this.#addresses.length));
      }
    }
  }

  /** Whether the node that is asked sees all others. */
  async #isWhole(): Promise<boolean> {
    const node = await this.#node(this.#current).catch(() => undefined);
    return node === undefined ? false : node.membership.isWhole();
  }

  /** Sends objects in one request; returns what is wrong with those that could not be stored, in their order. */
  async #insert({ collection, tenant }: Partition, objects: readonly StoredObject[]): Promise<(Error | undefined)[]> {
    const batch = objects.map(({ id, properties, vector }) => ({
      ...{ class: collection, id, properties: { ...properties } },
      ...(tenant !== undefined && { tenant }),
      ...(vector && { vectors: { default: Array.from(vector) } }),
    }));
    return this.#writing(async ({ rest }, consistency) => {
      // The types of the client know no vectors but objects.
      const batcher = rest.batch.objectsBatcher().withObjects(...(batch as object[]));
      const results = await batcher.withConsistencyLevel(consistency).do();
      const messages = results.map(({ result }) => result?.errors?.error?.map(({ message }) => message).join('; '));
      const errors = messages.map((message) => (message ? new Error(message) : undefined));
      const retryable = errors.find((error) => error && isRetryable(error));
      // To be tried again: what is stored already is stored once more.
      if (retryable) throw retryable;
      return errors.map((error) => error && clusterError(error, this.hosts));
    });
  }

  /**
   * The bodies of objects, in the order of their ids. Each is read by its id: a query finds only what the replica has
   * that answers it, and since 1.37.14 what it finds may be outdated.
   */
  async #bodies(partition: Partition, ids: readonly string[]): Promise<(string | undefined)[]> {
    return this.#attempt(({ rest }) =>
      Promise.all(ids.map((id) => storedBody(rest, { ...partition, id }, this.consistency))),
    );
  }

  #finder(client: WeaviateClient, consistency: Consistency): Finder {
    return (name, tenant) => {
      const collection = client.collections.use<string>(name);
      const ofTenant = tenant === undefined ? collection : collection.withTenant(tenant);
      return ofTenant.withConsistency(consistency);
    };
  }

  #node(number: number): Promise<NodeConnection> {
    const known = this.#nodes.get(number);
    if (known) return known;
    const opened = connectNode(this.#module, { address: this.#addresses[number] as NodeAddress, apiKey: this.#apiKey });
    opened.catch(() => this.#nodes.delete(number));
    this.#nodes.set(number, opened);
    return opened;
  }
}

/** What was made for a partition; made when it is first asked for. */
function ofPartition<Made>(all: Map<string, Made>, { collection, tenant = '' }: Partition, make: () => Made): Made {
  const name = `${collection} ${tenant}`;
  const made = all.get(name) ?? make();
  all.set(name, made);
  return made;
}
