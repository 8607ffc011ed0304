import type { AddFolderOptions } from '../../contract/engine/index-folder.js';
import { FolderMap } from '../../indexing/folder/folder-map.js';
import { type FolderRecord, type Folders, isSameFolder } from '../../storage/folders.js';
import type { EngineParts } from '../engine-parts.js';
import { withoutLinks } from './folder-names.js';

/** The record of a folder, and whether the bot knew the folder before. */
export interface KeptFolder {
  readonly record: FolderRecord;
  readonly isNew: boolean;
}

/** The records of the folders that a bot knows. */
export class FolderRecords {
  readonly #parts: Pick<EngineParts, 'bot' | 'storage'>;

  constructor(parts: Pick<EngineParts, 'bot' | 'storage'>) {
    this.#parts = parts;
  }

  /** All records, by name, then by folder. */
  async list(): Promise<readonly FolderRecord[]> {
    return (await this.#folders()).list();
  }

  /** Where the folders and their files are on disk. */
  mapOf(records: readonly FolderRecord[]): FolderMap {
    return new FolderMap(records, this.#parts.storage.base);
  }

  /**
   * Records a folder by its real path, even if a link to it has taken its place. Fields that are not given stay as they
   * were. Throws `FOLDER_EXISTS`, `BOT_MISSING`.
   */
  async keep(root: string, given: AddFolderOptions, defaultName: () => string): Promise<KeptFolder> {
    const folders = await this.#folders();
    for (;;) {
      const records = await folders.list();
      const map = this.mapOf(records);
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
      const isKept = isSameFolder(record, before) || (await folders.put(record, { expected: before }));
      if (isKept) return { record, isNew: before === undefined };
    }
  }

  /** Sets the start of the last run over all files of a folder, in milliseconds since the epoch. */
  async markSeen(folder: string, seenAt: number): Promise<void> {
    await (await this.#folders()).markSeen(folder, seenAt);
  }

  /** Forgets a folder, not its files. */
  async remove(folder: string): Promise<void> {
    await (await this.#folders()).remove(folder);
  }

  #folders(): Promise<Folders> {
    return this.#parts.storage.folders(this.#parts.bot.id);
  }
}

/** What records say of some folders, but for the times of runs, to be compared. */
export function settingsOf(records: readonly FolderRecord[], folders: readonly string[]): string {
  const chosen = records.filter(({ folder }) => folders.includes(folder));
  return JSON.stringify(chosen.map(({ seenAt: _, ...settings }) => settings));
}
