import { stableUuid } from '../../storage/ids/stable-uuid.js';
import { type Cluster, type Finder, PAGE, type Partition } from '../connection/cluster.js';
import { wholeObjects } from '../connection/objects.js';
import type { StoredObject } from '../connection/stored-object.js';

/** A record that is to be stored. */
export interface RecordToPut<Body> {
  readonly id: string;
  readonly body: Body;
  /** What else it is found by. */
  readonly refs?: readonly string[] | undefined;
  /** A number to filter and list by. Defaults to one that follows from the id. */
  readonly stamp?: number | undefined;
}

/** Which records of a kind to read. */
export interface RecordFilter {
  /** References of which a record must have all. */
  readonly refs?: readonly string[] | undefined;
  /** References of which a record must have none. */
  readonly without?: readonly string[] | undefined;
  /** Records with this stamp or a greater one. */
  readonly from?: number | undefined;
  /** Records with this stamp or a smaller one. */
  readonly until?: number | undefined;
}

/**
 * Records of one kind, with JSON bodies, in one collection and tenant. Each is one object, written whole: a reader sees
 * the last one that was written.
 */
export class Records<Body> {
  readonly #cluster: Cluster;
  readonly #kind: string;
  readonly #partition: Partition;

  constructor(cluster: Cluster, { kind, ...partition }: Partition & { readonly kind: string }) {
    this.#cluster = cluster;
    this.#kind = kind;
    this.#partition = partition;
  }

  async find(id: string): Promise<Body | undefined> {
    const body = await this.#cluster.body(this.#partition, this.#objectId(id));
    return body === undefined ? undefined : (JSON.parse(body) as Body);
  }

  /** As `find`, in a round trip of the caller. */
  async findIn(find: Finder, id: string): Promise<Body | undefined> {
    const found = await this.#of(find).query.fetchObjectById(this.#objectId(id));
    return found ? bodyOf<Body>(found) : undefined;
  }

  /**
   * Lists records by stamp. At most 9,999 may have the same stamp: see `REACH`. A record that exists throughout the
   * call is listed, whatever is put or removed meanwhile.
   */
  async list(filter: RecordFilter = {}): Promise<Body[]> {
    const found = new Map<string, Body>();
    for (let { from } = filter, limit = PAGE; ; ) {
      const objects = await this.#page({ ...filter, from }, limit);
      for (const object of objects) found.set(object.uuid, bodyOf<Body>(object));
      if (objects.length < limit) return [...found.values()];
      const last = Number(objects.at(-1)?.properties.stamp);
      // A page of one stamp does not tell where the next begins.
      limit = last === from ? limit + PAGE : PAGE;
      from = last;
    }
  }

  /** Up to `limit` records with the smallest stamps. */
  async first(limit: number, filter: RecordFilter = {}): Promise<Body[]> {
    return (await this.#page(filter, limit)).map((object) => bodyOf<Body>(object));
  }

  /** Up to 1,000 records, in a round trip of the caller. */
  async read(find: Finder): Promise<Body[]> {
    const records = this.#of(find);
    const filters = records.filter.byProperty('kind').equal(this.#kind);
    return (await wholeObjects(records, { filters, limit: PAGE })).map(bodyOf<Body>);
  }

  /** Inserts or replaces a record. */
  async put(...records: readonly RecordToPut<Body>[]): Promise<void> {
    const objects = records.map(({ id, body, refs = [], stamp }): StoredObject => {
      const objectId = this.#objectId(id);
      const properties = { kind: this.#kind, refs, stamp: stamp ?? numberOf(objectId), body: JSON.stringify(body) };
      return { id: objectId, properties };
    });
    await this.#cluster.insert(this.#partition, objects);
  }

  /** Removes records; those that are missing are passed over. */
  async remove(...ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const objectIds = ids.map((id) => this.#objectId(id));
    await this.#cluster.deleteWhere(this.#partition, ({ filter }) => filter.byId().containsAny(objectIds));
  }

  /** Removes all records of the kind. */
  async removeAll(): Promise<void> {
    await this.#cluster.deleteWhere(this.#partition, ({ filter }) => filter.byProperty('kind').equal(this.#kind));
  }

  /** Removes all records with a reference. */
  async removeWith(ref: string): Promise<void> {
    await this.#cluster.deleteWhere(this.#partition, ({ filter }) =>
      this.#cluster.filters.and(
        filter.byProperty('kind').equal(this.#kind),
        filter.byProperty('refs').containsAny([ref]),
      ),
    );
  }

  async #page({ refs = [], without = [], from, until }: RecordFilter, limit: number) {
    return this.#cluster.roundTrip((find) => {
      const records = this.#of(find);
      const { filter } = records;
      const hasAnyOf = (some: readonly string[]) => filter.byProperty('refs').containsAny([...some]);
      const conditions = [
        filter.byProperty('kind').equal(this.#kind),
        ...(refs.length > 0 ? [filter.byProperty('refs').containsAll([...refs])] : []),
        ...(without.length > 0 ? [this.#cluster.filters.not(hasAnyOf(without))] : []),
        ...(from === undefined ? [] : [filter.byProperty('stamp').greaterOrEqual(from)]),
        ...(until === undefined ? [] : [filter.byProperty('stamp').lessOrEqual(until)]),
      ];
      const filters = this.#cluster.filters.and(...conditions);
      return wholeObjects(records, { filters, limit, order: 'stamp' });
    });
  }

  #of(find: Finder): ReturnType<Finder> {
    return find(this.#partition.collection, this.#partition.tenant);
  }

  #objectId(id: string): string {
    return stableUuid([this.#kind, id]);
  }
}

/** A number made from a UUID. Two UUIDs hardly ever have the same one. */
function numberOf(uuid: string): number {
  return Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);
}

function bodyOf<Body>({ properties }: { readonly properties: object }): Body {
  return JSON.parse((properties as { readonly body: string }).body) as Body;
}
