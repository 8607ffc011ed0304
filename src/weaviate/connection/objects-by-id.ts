import { PAGE } from './cluster.js';
import { type Objects, wholeObjects } from './objects.js';
import { pagesOf } from './pages-of.js';

/** The objects with some ids, in no particular order. Those that the answering replica lacks are left out. */
export async function objectsById(objects: Objects, ids: readonly string[]) {
  const pages = pagesOf([...new Set(ids)], PAGE).map((page) =>
    wholeObjects(objects, { filters: objects.filter.byId().containsAny([...page]), limit: PAGE }),
  );
  return (await Promise.all(pages)).flat();
}
