import type { AddFolderOptions } from '../../contract/engine/index-folder.js';
import { FolderMap } from '../../indexing/folder/folder-map.js';
import { type FolderRecord, type Folders, isSameFolder } from '../../storage/folders.js';
import { withoutLinks } from './folder-names.js';

/** The record of a folder, and whether the bot knew the folder before. */
export interface KeptFolder {
  readonly record: FolderRecord;
  readonly isNew: boolean;
}

/**
 * Records a folder by its real path, even if a link to it has taken its place. Fields that are not given stay as they
 * were. Throws `FOLDER_EXISTS`, `BOT_MISSING`.
 */
export async function keepFolder(
  root: string,
  {
    folders,
    base,
    given,
    defaultName,
  }: {
    readonly folders: Folders;
    readonly base: string;
    readonly given: AddFolderOptions;
    readonly defaultName: () => string;
  },
): Promise<KeptFolder> {
  for (;;) {
    const records = await folders.list();
    const map = new FolderMap(records, base);
    const before =
      records.find(({ folder }) => folder === map.folderOf(root)) ??
      records.find(({ folder }) => withoutLinks(map.pathOfFolder(folder)) === root);
    const record = {
      folder: before?.folder ?? map.folderOf(root),
      name: given.name ?? before?.name ?? defaultName(),
      tags: given.tags ?? before?.tags ?? {},
      tagRules: given.tagRules ?? before?.tagRules ?? [],
      ignore: given.ignore ?? before?.ignore ?? [],
      seenAt: before?.seenAt ?? null,
    };
    const isKept = isSameFolder(record, before) || (await folders.put(record, { over: before }));
    if (isKept) return { record, isNew: before === undefined };
  }
}

/** What records say of some folders, but for the times of runs, to be compared. */
export function settingsOf(records: readonly FolderRecord[], folders: readonly string[]): string {
  const chosen = records.filter(({ folder }) => folders.includes(folder));
  return JSON.stringify(chosen.map(({ seenAt: _, ...settings }) => settings));
}
