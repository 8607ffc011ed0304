import type { FilterValue } from 'weaviate-client';
import { type Cluster, type Finder, PAGE, type Partition } from '../connection/cluster.js';
import { type Objects, wholeObjects } from '../connection/objects.js';
import type { StoredObject } from '../connection/stored-object.js';
import { PASSAGES } from '../schema/collections.js';
import {
  CANDIDATE_PROPERTIES,
  type CandidateProperties,
  candidateOf,
  type PassageProperties,
  placeOfCandidate,
} from './passage-object.js';

/** An object of a passage as it was read. */
export interface FoundPassage<Properties = PassageProperties> {
  readonly objectId: string;
  readonly properties: Properties;
  /** Cosine distance to the query of a vector search. */
  readonly distance: number | undefined;
  /** Present if it was asked for, and the passage is embedded. */
  readonly vector: readonly number[] | undefined;
}

/** A passage as a candidate of a query. */
export type FoundCandidate = FoundPassage<CandidateProperties>;

/** How many passages to read, and in which order. */
interface WhereOptions {
  /** Defaults to `PAGE`, the maximum. */
  readonly limit?: number;
  readonly order?: string;
}

/** Requests to the objects of the passages of one bot and model. Call them in one round trip with others. */
export class PassageObjects {
  readonly #cluster: Cluster;
  readonly partition: Partition;

  constructor(cluster: Cluster, tenant: string) {
    this.#cluster = cluster;
    this.partition = { collection: PASSAGES, tenant };
  }

  get cluster(): Cluster {
    return this.#cluster;
  }

  /** One round trip. */
  trip<T>(send: (objects: Objects) => Promise<T>): Promise<T> {
    return this.#cluster.roundTrip((find) => send(this.in(find)));
  }

  /** The objects in a round trip with others. */
  in(find: Finder): Objects {
    return find(PASSAGES, this.partition.tenant);
  }

  /**
   * Where candidates are looked for. A search asks one replica at any level; a higher one reads every hit from another
   * replica, too, to compare them. Passages do not change, and their files decide which of them count.
   */
  #candidates(objects: Objects): Objects['query'] {
    return objects.withConsistency('ONE').query;
  }

  /** The nearest passages, as candidates. */
  async nearest(
    objects: Objects,
    embedding: Float32Array,
    { limit, filters }: { readonly limit: number; readonly filters: FilterValue | undefined },
  ): Promise<FoundCandidate[]> {
    const reply = await this.#candidates(objects).nearVector(Array.from(embedding), {
      ...{ limit, returnMetadata: ['distance'], returnProperties: [...CANDIDATE_PROPERTIES] },
      ...(filters && { filters }),
    });
    return reply.objects.map(foundCandidateOf);
  }

  /** The passages with the best BM25 as Weaviate computes it, as candidates with their vectors. */
  async bestByWords(
    objects: Objects,
    words: readonly string[],
    { limit, filters }: { readonly limit: number; readonly filters: FilterValue | undefined },
  ): Promise<FoundCandidate[]> {
    if (words.length === 0) return [];
    const reply = await this.#candidates(objects).bm25(words.join(' '), {
      queryProperties: FIELDS.map(({ name, weight }) => ({ name, weight })),
      ...{ limit, includeVector: true, returnProperties: [...CANDIDATE_PROPERTIES] },
      ...(filters && { filters }),
    });
    return reply.objects.map(foundCandidateOf);
  }

  /** Passages that pass a filter, as candidates with their vectors. */
  async candidatesWhere(objects: Objects, filters: FilterValue, limit: number): Promise<FoundCandidate[]> {
    const reply = await this.#candidates(objects).fetchObjects({
      filters,
      limit,
      includeVector: true,
      returnProperties: [...CANDIDATE_PROPERTIES],
    });
    return reply.objects.map(foundCandidateOf);
  }

  /** Up to `limit` passages that pass a filter; in ascending order of a property, or in none. */
  async where(
    objects: Objects,
    filters: FilterValue,
    { limit = PAGE, order }: WhereOptions = {},
  ): Promise<FoundPassage[]> {
    return (await wholeObjects(objects, { filters, limit, order })).map(foundOf);
  }

  /** The generations of all passages, each with the key of its file. */
  async generations(): Promise<Map<string, string>> {
    const generations = new Map<string, string>();
    for await (const page of this.#cluster.pages(this.partition, 'candidate')) {
      for (const { generation, key } of page.map(placeOfCandidate)) generations.set(generation, key);
    }
    return generations;
  }

  /** Inserts or replaces passages. */
  insert(passages: readonly StoredObject[]): Promise<void> {
    return this.#cluster.insert(this.partition, passages);
  }

  /** Deletes all passages that pass a filter. */
  async deleteWhere(condition: (objects: Objects) => FilterValue): Promise<void> {
    await this.#cluster.deleteWhere(this.partition, condition);
  }
}

/** The fields that words are found in, and how much each counts for the choice of candidates. */
export const FIELDS = [
  { name: 'textTerms', weight: 1 },
  { name: 'breadcrumbTerms', weight: 2 },
  { name: 'fileTerms', weight: 0.5 },
] as const;

function foundOf(object: {
  readonly uuid: string;
  readonly properties: object;
  readonly metadata?: { readonly distance?: number | undefined } | undefined;
  readonly vectors: object;
}): FoundPassage {
  const { default: vector } = object.vectors as { readonly default?: readonly number[] };
  return {
    objectId: object.uuid,
    properties: object.properties as PassageProperties,
    distance: object.metadata?.distance,
    vector: vector && vector.length > 0 ? vector : undefined,
  };
}

function foundCandidateOf(object: Parameters<typeof foundOf>[0]): FoundCandidate {
  const found = foundOf(object);
  return { ...found, properties: candidateOf(found.properties) };
}
