import { stableUuid } from '../../storage/stable-uuid.js';
import type { Cluster, Finder, StoredObject } from '../connection/cluster.js';

/** Records read at a time. */
const PAGE = 1000;

/** A record that is to be stored. */
export interface RecordToPut<Body> {
  readonly id: string;
  readonly body: Body;
  /** What else it is found by. */
  readonly refs?: readonly string[] | undefined;
  /** A number to filter by. Defaults to 0. */
  readonly stamp?: number | undefined;
}

/** Which records of a kind to read. */
export interface RecordFilter {
  /** References of which a record must have all. */
  readonly refs?: readonly string[] | undefined;
  /** Records with this stamp or a greater one. */
  readonly from?: number | undefined;
}

/**
 * Records of one kind, with JSON bodies, in one collection and tenant. Each is one object, written whole: a reader sees
 * the last one that was written.
 */
export class Records<Body> {
  readonly #cluster: Cluster;
  readonly #collection: string;
  readonly #kind: string;
  readonly #tenant: string | undefined;

  constructor(
    cluster: Cluster,
    place: { readonly collection: string; readonly kind: string; readonly tenant?: string },
  ) {
    this.#cluster = cluster;
    this.#collection = place.collection;
    this.#kind = place.kind;
    this.#tenant = place.tenant;
  }

  async find(id: string): Promise<Body | undefined> {
    const found = await this.#cluster.roundTrip((find) => this.#of(find).query.fetchObjectById(this.#objectId(id)));
    return found ? bodyOf<Body>(found) : undefined;
  }

  /** In no particular order. */
  async list(filter: RecordFilter = {}): Promise<Body[]> {
    const bodies: Body[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const page = await this.#cluster.roundTrip((find) => this.read(find, { ...filter, offset }));
      bodies.push(...page);
      if (page.length < PAGE) return bodies;
    }
  }

  /** Up to 1,000 records, in a round trip of the caller. */
  async read(find: Finder, { refs = [], from, offset = 0 }: RecordFilter & { readonly offset?: number } = {}) {
    const { filter, query } = this.#of(find);
    const conditions = [
      filter.byProperty('kind').equal(this.#kind),
      ...(refs.length > 0 ? [filter.byProperty('refs').containsAll([...refs])] : []),
      ...(from === undefined ? [] : [filter.byProperty('stamp').greaterOrEqual(from)]),
    ];
    const filters = this.#cluster.filters.and(...conditions);
    const { objects } = await query.fetchObjects({ filters, limit: PAGE, offset });
    return objects.map(bodyOf<Body>);
  }

  /** Inserts or replaces a record. */
  async put(...records: readonly RecordToPut<Body>[]): Promise<void> {
    const objects = records.map(
      ({ id, body, refs = [], stamp = 0 }): StoredObject => ({
        id: this.#objectId(id),
        properties: { kind: this.#kind, refs, stamp, body: JSON.stringify(body) },
      }),
    );
    await this.#cluster.insert(this.#collection, objects, this.#tenant);
  }

  /** Removes records; those that are missing are passed over. */
  async remove(...ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#cluster.write((find) => {
      const { filter, data } = this.#of(find);
      return data.deleteMany(filter.byId().containsAny(ids.map((id) => this.#objectId(id))));
    });
  }

  #of(find: Finder): ReturnType<Finder> {
    return find(this.#collection, this.#tenant);
  }

  #objectId(id: string): string {
    return stableUuid([this.#kind, id]);
  }
}

function bodyOf<Body>({ properties }: { readonly properties: object }): Body {
  return JSON.parse((properties as { readonly body: string }).body) as Body;
}
