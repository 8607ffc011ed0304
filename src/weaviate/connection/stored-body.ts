import type { Consistency } from './cluster-options.js';
import type { NodeConnection } from './node-connection.js';

/** Where an object is. */
export interface ObjectPlace {
  readonly collection: string;
  readonly tenant?: string | undefined;
  readonly id: string;
}

/**
 * The `body` of an object, compared among as many replicas as `consistency` says; undefined if they do not have it. A
 * node that was away answers as the others do.
 */
export async function storedBody(
  rest: NodeConnection['rest'],
  { collection, tenant, id }: ObjectPlace,
  consistency: Consistency,
): Promise<string | undefined> {
  const getter = rest.data.getterById().withClassName(collection).withId(id).withConsistencyLevel(consistency);
  try {
    const { properties } = await (tenant === undefined ? getter : getter.withTenant(tenant)).do();
    return String(properties?.body);
  } catch (error) {
    if (/status code: 404\b/.test((error as Error).message)) return undefined;
    throw error;
  }
}
