import { folderExists } from '../../storage/failures.js';
import { type ExpectedFolder, type FolderRecord, type Folders, isSameFolder } from '../../storage/folders.js';
import type { Cluster } from '../connection/cluster.js';
import { byteOrder } from '../records/byte-order.js';
import { ExclusiveChanges } from '../records/exclusive-changes.js';
import { KeyLocks } from '../records/key-locks.js';
import { Records } from '../records/records.js';
import { RECORDS } from '../schema/collections.js';

/** A name is unique among the folders of a bot, so they change one at a time. */
const FOLDERS = 'folders';

/** The folders that a bot knows, in a cluster. */
export class WeaviateFolders implements Folders {
  readonly #records: Records<FolderRecord>;
  readonly #changes: ExclusiveChanges;

  /** `locks` are shared with the other calls of this process. */
  constructor(cluster: Cluster, bot: string, locks = new KeyLocks()) {
    const partition = { collection: RECORDS, tenant: bot };
    this.#records = new Records<FolderRecord>(cluster, { ...partition, kind: 'folder' });
    this.#changes = new ExclusiveChanges(cluster, { ...partition, kind: 'folder-change' }, locks);
  }

  async list(): Promise<readonly FolderRecord[]> {
    const records = await this.#records.list();
    return records.sort((a, b) => byteOrder(a.name, b.name) || byteOrder(a.folder, b.folder));
  }

  async put(record: FolderRecord, condition?: ExpectedFolder): Promise<boolean> {
    return this.#change(async () => {
      if (condition && !isSameFolder(await this.#records.find(record.folder), condition.expected)) return undefined;
      await this.#assertFree(record);
      return () => this.#store(record);
    });
  }

  async markSeen(folder: string, seenAt: number): Promise<void> {
    await this.#change(async () => {
      const known = await this.#records.find(folder);
      return known && (() => this.#store({ ...known, seenAt }));
    });
  }

  async remove(folder: string): Promise<void> {
    await this.#change(async () => () => this.#records.remove(folder));
  }

  /**
   * Changes a folder while no other process changes one. `decide` returns the change, or undefined if nothing is to be
   * changed. Returns whether something was.
   */
  async #change(decide: () => Promise<(() => Promise<void>) | undefined>): Promise<boolean> {
    return this.#changes.run(FOLDERS, async (isLate) => {
      const change = await decide();
      if (!change) return false;
      if (isLate()) return undefined;
      await change();
      return true;
    });
  }

  /** Throws `FOLDER_EXISTS`. */
  async #assertFree({ name, folder }: FolderRecord): Promise<void> {
    if (name === '') return;
    const others = (await this.#records.list()).filter((known) => known.folder !== folder);
    if (others.some((other) => other.name === name)) throw folderExists(name);
  }

  async #store(record: FolderRecord): Promise<void> {
    await this.#records.put({ id: record.folder, body: record });
  }
}
