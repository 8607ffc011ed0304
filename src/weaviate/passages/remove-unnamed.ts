import type { FileHeads } from '../files/file-heads.js';
import type { Writes } from '../files/writes.js';
import type { PassageObjects } from './passage-objects.js';

/** Removes passages of generations that no file and no write names. */
export async function removeUnnamed(
  objects: PassageObjects,
  { heads, writes }: { readonly heads: FileHeads; readonly writes: Writes },
): Promise<void> {
  const stored = await objects.generations();
  // After the generations were read: what is written meanwhile is named by then.
  for (const { generations } of await writes.list()) for (const generation of generations) stored.delete(generation);
  for (const { generation } of await heads.all()) if (generation !== null) stored.delete(generation);
  if (stored.size === 0) return;
  await objects.deleteWhere(({ filter }) => filter.byProperty('generation').containsAny([...stored]));
}
