import type { FilterValue } from 'weaviate-client';
import { type TagFilter, tagConditionOf } from '../../domain/filters/tag-filter.js';
import type { Tags } from '../../domain/passage.js';
import type { Cluster } from '../connection/cluster.js';
import type { Objects } from '../connection/objects.js';

/** Tags as the values of a property: each name, and each name with its value. */
export function tagEntries(tags: Tags): string[] {
  return Object.entries(tags).flatMap(([name, value]) => [entry(name), entry(name, value)]);
}

/** The conditions of a tag filter on a property `tags` with `tagEntries`; all of them must hold. */
export function tagFilters(cluster: Cluster, { filter }: Objects, tags: TagFilter): FilterValue[] {
  const of = () => filter.byProperty('tags');
  return Object.entries(tags).flatMap(([name, wanted]) => {
    const { anyOf, noneOf, exists } = tagConditionOf(wanted);
    return [
      ...(anyOf.length > 0 ? [of().containsAny(anyOf.map((value) => entry(name, value)))] : []),
      ...(noneOf.length > 0 ? [cluster.filters.not(of().containsAny(noneOf.map((value) => entry(name, value))))] : []),
      ...[...exists].map((isThere) => {
        const has = of().containsAny([entry(name)]);
        return isThere ? has : cluster.filters.not(has);
      }),
    ];
  });
}

function entry(...parts: string[]): string {
  return JSON.stringify(parts);
}
