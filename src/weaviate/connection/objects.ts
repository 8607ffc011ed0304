import type { Collection, FilterValue } from 'weaviate-client';

/** A collection as queries use it. */
export type Objects = Collection<undefined, string>;

/** Which objects to read. */
export interface ObjectQuery {
  readonly filters: FilterValue;
  /** At most `REACH`. */
  readonly limit: number;
  /** A property, in whose ascending order they are read. Defaults to no order. */
  readonly order?: string | undefined;
}

/**
 * Objects that pass a filter, with all their properties and their vectors. Above the consistency level ONE, read
 * filtered objects only with this: Weaviate repairs a replica that misses an object, and before 1.38.7 it stores there
 * only what the query has read. See docs/decisions/151.
 */
export async function wholeObjects(objects: Objects, { filters, limit, order }: ObjectQuery) {
  const { objects: found } = await objects.query.fetchObjects({
    ...{ filters, limit, includeVector: true },
    // The client knows the properties of collections that have a type only.
    ...(order !== undefined && { sort: objects.sort.byProperty(order as never) }),
  });
  return found;
}
