import type { Collection, Corpus } from './collection.js';

/** The queries that are asked of a corpus. */
export function queriesOf(collection: Collection, { name }: Corpus): readonly { id: string; text: string }[] {
  return collection.format === 'spans'
    ? collection.queries.filter(({ corpus }) => corpus === name)
    : collection.queries;
}

/** A collection with as many queries at most, every n-th of them, so that a few stand for all corpora and kinds. */
export function spread(collection: Collection, most = Number.POSITIVE_INFINITY): Collection {
  const some = <Query>(queries: readonly Query[]): Query[] => {
    const { length } = queries;
    const kept = Math.min(most, length);
    return queries.filter((_, i) => Math.floor(((i + 1) * kept) / length) > Math.floor((i * kept) / length));
  };
  return collection.format === 'spans'
    ? { ...collection, queries: some(collection.queries) }
    : { ...collection, queries: some(collection.queries) };
}
