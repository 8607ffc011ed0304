import { folderExists } from '../../storage/failures.js';
import { type ExpectedFolder, type FolderRecord, type Folders, isSameFolder } from '../../storage/folders.js';
import type { Cluster } from '../connection/cluster.js';
import { byteOrder } from '../records/byte-order.js';
import { Records } from '../records/records.js';
import { RECORDS } from '../schema/collections.js';

/** The folders that a bot knows, in a cluster. */
export class WeaviateFolders implements Folders {
  readonly #records: Records<FolderRecord>;

  constructor(cluster: Cluster, bot: string) {
    this.#records = new Records<FolderRecord>(cluster, { collection: RECORDS, kind: 'folder', tenant: bot });
  }

  async list(): Promise<readonly FolderRecord[]> {
    const records = await this.#records.list();
    return records.sort((a, b) => byteOrder(a.name, b.name) || byteOrder(a.folder, b.folder));
  }

  async put(record: FolderRecord, expected?: ExpectedFolder): Promise<boolean> {
    const former = await this.#records.find(record.folder);
    if (expected && !isSameFolder(former, expected.over)) return false;
    await this.#assertFree(record);
    await this.#store(record);
    // Another process may have given the name to another folder meanwhile. If both see each other, both fail.
    await this.#assertFree(record).catch(async (error: unknown) => {
      await (former ? this.#store(former) : this.#records.remove(record.folder));
      throw error;
    });
    return true;
  }

  async markSeen(folder: string, seenAt: number): Promise<void> {
    const known = await this.#records.find(folder);
    if (known) await this.#store({ ...known, seenAt });
  }

  async remove(folder: string): Promise<void> {
    await this.#records.remove(folder);
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
