import type { Passage } from '../../domain/passage.js';
import { stableUuid } from '../../storage/ids/stable-uuid.js';
import type { Cluster, Finder, Partition } from '../connection/cluster.js';
import { objectsById } from '../connection/objects-by-id.js';
import { pagesOf } from '../connection/pages-of.js';
import { CONTENTS } from '../schema/collections.js';

/** Where a passage is. */
export interface PassagePlace {
  readonly generation: string;
  /** In its file, from 0. */
  readonly position: number;
}

/** A passage as it is read, with what lies between it and the next one. */
export interface PassageBody extends Omit<Passage, 'display'> {
  /** The text from the passage to the next one; empty if none follows, or if they overlap. */
  readonly after: string;
  /** Where the next passage starts; null if none follows. */
  readonly next: number | null;
}

/** Passages whose bodies are one object: a hit is mostly read with its neighbours. */
const GROUP = 8;

/**
 * The bodies of the passages of one bot and model, several in an object. They are apart from what finds passages, which
 * is read by the hundred for each query, and whole. They belong to the contents of a generation, and are removed with
 * these.
 */
export class PassageBodies {
  readonly #cluster: Cluster;
  readonly #partition: Partition & { readonly tenant: string };
  readonly #model: string;

  constructor(cluster: Cluster, { bot, fingerprint }: { readonly bot: string; readonly fingerprint: string }) {
    this.#cluster = cluster;
    this.#partition = { collection: CONTENTS, tenant: bot };
    this.#model = fingerprint;
  }

  /** Stores the bodies of all passages of a generation, in their order. */
  async put(generation: string, bodies: readonly PassageBody[]): Promise<void> {
    const objects = pagesOf(bodies, GROUP).map((group, i) => ({
      id: this.#objectId(generation, i),
      properties: { content: generation, model: this.#model, bodies: JSON.stringify(group) },
    }));
    await this.#cluster.insert(this.#partition, objects);
  }

  /** The bodies at some places; those that are missing are left out. */
  async at(places: readonly PassagePlace[]): Promise<PlacedBodies> {
    return this.#cluster.roundTrip((find) => this.read(find, places));
  }

  /** As `at`, in a round trip of the caller. */
  async read(find: Finder, places: readonly PassagePlace[]): Promise<PlacedBodies> {
    const ids = places.map(({ generation, position }) => this.#objectId(generation, Math.floor(position / GROUP)));
    const placed = new PlacedBodies();
    for (const { properties } of await objectsById(find(CONTENTS, this.#partition.tenant), ids)) {
      placed.add(String(properties.content), JSON.parse(String(properties.bodies)) as PassageBody[]);
    }
    return placed;
  }

  /** The bodies of a generation of `count` passages, in their order. */
  async ofGeneration(generation: string, count: number): Promise<PassageBody[]> {
    const places = Array.from({ length: count }, (_, position) => ({ generation, position }));
    const read = await this.at(places);
    return places.flatMap((place) => read.get(place) ?? []);
  }

  /** Removes all bodies of the model. */
  async removeAll(): Promise<void> {
    await this.#cluster.deleteWhere(this.#partition, ({ filter }) => filter.byProperty('model').equal(this.#model));
  }

  #objectId(generation: string, group: number): string {
    return stableUuid(['bodies', this.#model, generation, group]);
  }
}

/** Bodies that were read, by their places. */
export class PlacedBodies {
  readonly #bodies = new Map<string, Map<number, PassageBody>>();

  add(generation: string, bodies: readonly PassageBody[]): void {
    const positions = this.#bodies.get(generation) ?? new Map<number, PassageBody>();
    for (const body of bodies) positions.set(body.position, body);
    this.#bodies.set(generation, positions);
  }

  get({ generation, position }: PassagePlace): PassageBody | undefined {
    return this.#bodies.get(generation)?.get(position);
  }
}

/** The passage of a body. */
export function passageOf({ after: _after, next: _next, ...passage }: PassageBody): Passage {
  const display = `${passage.opening ?? ''}${passage.content}${passage.closing ?? ''}`;
  return { ...passage, display };
}
