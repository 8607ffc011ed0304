import { validatePath } from '../contract/search.js';
import { pathFilter } from '../domain/path-filter.js';
import type { ReadablePassages } from '../storage/passage-store.js';

/** Keys of the files that a search with this `path` looks at, ascending. Throws `INVALID_ARGUMENT`. */
export async function keysOf(store: ReadablePassages, path: string | readonly string[]): Promise<string[]> {
  const passes = pathFilter(validatePath(path));
  return (await store.files()).map(({ key }) => key).filter(passes);
}
