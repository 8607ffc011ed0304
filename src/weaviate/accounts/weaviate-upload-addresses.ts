import { randomUUID } from 'node:crypto';
import { type AnnouncedFile, EXPIRED_ADDRESS_LIFETIME, type UploadAddresses } from '../../storage/file-records.js';
import type { Cluster } from '../connection/cluster.js';
import { accountFiles } from '../files/account-files.js';
import { Records } from '../records/records.js';
import { ACCOUNTS } from '../schema/collections.js';
import { ofBot } from '../schema/tenants.js';

interface Address extends AnnouncedFile {
  readonly hash: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** Names the upload that closed it. */
  readonly taker?: string;
}

/** Upload addresses in a cluster. */
export class WeaviateUploadAddresses implements UploadAddresses {
  readonly #cluster: Cluster;
  readonly #records: Records<Address>;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#records = new Records<Address>(cluster, { collection: ACCOUNTS, kind: 'upload' });
  }

  async put({ hash, fileId, expiresAt, size, contentType, index }: Parameters<UploadAddresses['put']>[0]) {
    const past = await this.#records.first(1000, { until: Date.now() - EXPIRED_ADDRESS_LIFETIME });
    await this.#records.remove(...past.map((address) => address.hash));
    const file = await accountFiles(this.#cluster).find(fileId);
    if (file) await this.#store({ hash, botId: file.bot, fileId, expiresAt, size, contentType, index });
  }

  async find(hash: string): Promise<AnnouncedFile | undefined> {
    const address = await this.#open(hash, new Date().toISOString());
    return address && announcedOf(address);
  }

  /**
   * Of uploads that take an address at once, the last one to write itself into it has it. If one waits for longer than
   * another one takes to write and read back, both have it: they store the content of the same file one after the
   * other, and what the file has is that of either, whole.
   */
  async take(hash: string, since: string): Promise<AnnouncedFile | undefined> {
    const address = await this.#open(hash, since);
    if (!address) return undefined;
    const taker = randomUUID();
    await this.#store({ ...address, taker });
    const taken = await this.#records.find(hash);
    return taken?.taker === taker ? announcedOf(address) : undefined;
  }

  /** The address if it accepts an upload that began at a time. */
  async #open(hash: string, at: string): Promise<Address | undefined> {
    const address = await this.#records.find(hash);
    if (!address || address.taker !== undefined || address.expiresAt <= at) return undefined;
    return (await accountFiles(this.#cluster).find(address.fileId)) && address;
  }

  async #store(address: Address): Promise<void> {
    const stamp = Date.parse(address.expiresAt);
    await this.#records.put({ id: address.hash, body: address, refs: [ofBot(address.botId)], stamp });
  }
}

function announcedOf({ botId, fileId, size, contentType, index }: Address): AnnouncedFile {
  return { botId, fileId, size, contentType, index };
}
