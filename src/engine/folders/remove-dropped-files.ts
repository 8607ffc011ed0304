import { type Abortable, assertNotAborted } from '../../domain/abortable.js';
import type { PassageStore, StoredFile } from '../../storage/passage-store.js';

/** Removes the stored files of a dropped folder, which pass `isDropped`. Throws `ABORTED`. */
export async function removeDroppedFiles(
  isDropped: (file: StoredFile) => boolean,
  { store, signal }: Abortable & { readonly store: PassageStore },
): Promise<void> {
  for (const { key, id } of (await store.files()).filter(isDropped)) {
    assertNotAborted(signal, 'Stopped. Files that were removed stay so; drop the folder again to remove the rest.');
    await store.remove(key, { only: { id }, signal });
  }
}
