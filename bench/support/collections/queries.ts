import type { Collection, Corpus } from './collection.js';

/** The queries about a corpus. */
export function queriesOf(collection: Collection, { name }: Corpus): readonly { id: string; text: string }[] {
  return collection.format === 'spans'
    ? collection.queries.filter(({ corpus }) => corpus === name)
    : collection.queries;
}

/** The collection with at most so many queries, spaced evenly, so that all corpora and kinds are represented. */
export function sampled(collection: Collection, most = Number.POSITIVE_INFINITY): Collection {
  const sample = <Query>(queries: readonly Query[]): Query[] => {
    const { length } = queries;
    const kept = Math.min(most, length);
    return queries.filter((_, i) => Math.floor(((i + 1) * kept) / length) > Math.floor((i * kept) / length));
  };
  return collection.format === 'spans'
    ? { ...collection, queries: sample(collection.queries) }
    : { ...collection, queries: sample(collection.queries) };
}
