import { type Abortable, assertNotAborted } from '../../domain/abortable.js';
import type { PassageStore, StoredFile } from '../../storage/passage-store.js';

/** Removes the stored files that pass `isWanted`. Throws `ABORTED`. */
export async function removeFiles(
  isWanted: (file: StoredFile) => boolean,
  { store, signal }: Abortable & { readonly store: PassageStore },
): Promise<void> {
  for (const { key, id } of (await store.files()).filter(isWanted)) {
    assertNotAborted(signal, 'Stopped. Files that were removed stay so; drop the folder again to remove the rest.');
    await store.remove(key, { only: { id }, signal });
  }
}
