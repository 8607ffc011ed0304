import { validatePath } from '../contract/engine/search.js';
import { pathFilter } from '../domain/filters/path-filter.js';
import type { ReadablePassages } from '../storage/passage-store.js';

/** Keys of the files that a search with a `path` is restricted to, ascending. Throws `INVALID_ARGUMENT`. */
export async function matchingKeys(path: string | readonly string[], store: ReadablePassages): Promise<string[]> {
  const passes = pathFilter(validatePath(path));
  return (await store.files()).map(({ key }) => key).filter(passes);
}
