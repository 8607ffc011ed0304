import { pagesOf } from '../connection/pages-of.js';
import type { FileHeads } from '../files/file-heads.js';
import type { Writes } from '../files/writes.js';
import type { PassageObjects } from './passage-objects.js';

/** Generations that are looked up at once. */
const AT_ONCE = 200;

/** Removes passages of generations that no file and no write names. */
export async function removeUnnamed(
  objects: PassageObjects,
  { heads, writes }: { readonly heads: FileHeads; readonly writes: Writes },
): Promise<void> {
  const stored = await objects.generations();
  // After the generations were read: what is written meanwhile is named by then.
  for (const { generations } of await writes.list()) for (const generation of generations) stored.delete(generation);
  for (const { generation } of await heads.all()) if (generation !== null) stored.delete(generation);
  for (const page of pagesOf([...stored], AT_ONCE)) {
    const unnamed = new Map(page);
    // The lists are those of one node, which may have been away: what others have is found by its name.
    for (const generation of await writes.writing([...unnamed.keys()])) unnamed.delete(generation);
    const named = await heads.findAll([...unnamed.values()]);
    for (const { generation } of named.values()) if (generation !== null) unnamed.delete(generation);
    if (unnamed.size === 0) continue;
    await objects.deleteWhere(({ filter }) => filter.byProperty('generation').containsAny([...unnamed.keys()]));
  }
}
