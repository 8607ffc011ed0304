import { randomUUID } from 'node:crypto';
import { hasCode } from '../../domain/errors.js';
import { changedDescription } from '../../storage/changed-description.js';
import type { UsedAddress } from '../../storage/contents.js';
import {
  type AnnouncedFile,
  EXPIRED_ADDRESS_LIFETIME,
  type FileToUpload,
  hasExpired,
  OPEN_ADDRESSES,
  type UploadAddress,
  type UploadAddresses,
} from '../../storage/file-records.js';
import type { Cluster } from '../connection/cluster.js';
import { Records } from '../records/records.js';
import { ACCOUNTS } from '../schema/collections.js';
import { ofBot } from '../schema/tenants.js';
import { accountFiles } from './account-files.js';
import { changesSince } from './announced-uploads.js';
import type { FileHead } from './file-head.js';
import { FileHeads } from './file-heads.js';

/** An address, with what was announced with it. */
interface Announced extends UploadAddress {
  readonly botId: string;
  readonly fileId: string;
  readonly file: FileToUpload;
  /** Names the upload that closes it. */
  readonly taker?: string;
}

/** Takes an address for the file of a head. Returns what it accepts; undefined if it accepts no upload. */
type Take = (head: FileHead) => Promise<FileToUpload | undefined>;

/** Upload addresses in a cluster. What is changed after an announcement is in the head of the file. */
export class WeaviateUploadAddresses implements UploadAddresses {
  readonly #cluster: Cluster;
  readonly #records: Records<Announced>;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#records = new Records<Announced>(cluster, { collection: ACCOUNTS, kind: 'upload' });
  }

  async find({ hash, since }: UsedAddress): Promise<AnnouncedFile | undefined> {
    const announced = await this.#records.find(hash);
    // Without a record, the file was deleted, perhaps with its bot.
    if (!announced || !(await accountFiles(this.#cluster).find(announced.fileId))) return undefined;
    const head = await new FileHeads(this.#cluster, announced.botId).byId(announced.fileId);
    if (!head || announced.taker !== undefined) return undefined;
    const file = acceptedOf(announced, { head, since });
    return file && { ...file, id: head.id, version: head.version, botId: announced.botId };
  }

  /**
   * Stores what is announced with an address, before the head of its file is written. Removes what expired long ago,
   * and the oldest addresses of the file beyond `OPEN_ADDRESSES`.
   */
  async open(
    address: UploadAddress,
    { bot, head, file }: { readonly bot: string; readonly head: FileHead; readonly file: FileToUpload },
  ): Promise<void> {
    const past = { until: Date.now() - EXPIRED_ADDRESS_LIFETIME };
    const [expired, others] = await Promise.all([
      this.#records.first(1000, past),
      this.#records.list({ refs: [ofFile(head.id)] }),
    ]);
    const oldest = others.slice(0, Math.max(0, others.length - (OPEN_ADDRESSES - 1)));
    await this.#records.remove(...[...expired, ...oldest].map(({ hash }) => hash));
    await this.#put({ ...address, botId: bot, fileId: head.id, file });
  }

  /**
   * Stores an upload. `work` reads the head of the file, takes the address, and writes the head. The address is
   * removed if that succeeds, and is open again otherwise. Of uploads that take an address at once, the last one to
   * write itself into it has it. If one waits for longer than another one takes to write and read back, both have it:
   * they store the content of the same file one after the other, and what the file has is that of either, whole.
   */
  async using<T>(used: UsedAddress, work: (take: Take) => Promise<T>): Promise<T> {
    const taker = randomUUID();
    let result: T | undefined;
    try {
      result = await work((head) => this.#take(used, { head, taker }));
      return result;
    } finally {
      // What cannot be removed now is removed when it has expired.
      await (result ? this.#records.remove(used.hash) : this.#reopen(used, taker)).catch(() => {});
    }
  }

  async #take(
    { hash, since }: UsedAddress,
    { head, taker }: { readonly head: FileHead; readonly taker: string },
  ): Promise<FileToUpload | undefined> {
    const announced = await this.#records.find(hash);
    if (announced?.fileId !== head.id || (announced.taker ?? taker) !== taker) return undefined;
    await this.#put({ ...announced, taker });
    const isTaken = (await this.#records.find(hash))?.taker === taker;
    return isTaken ? acceptedOf(announced, { head, since }) : undefined;
  }

  async #reopen({ hash }: UsedAddress, taker: string): Promise<void> {
    const announced = await this.#records.find(hash);
    if (announced?.taker !== taker) return;
    const { taker: _, ...open } = announced;
    await this.#put(open);
  }

  async #put(announced: Announced): Promise<void> {
    const refs = [ofBot(announced.botId), ofFile(announced.fileId)];
    await this.#records.put({ id: announced.hash, body: announced, refs, stamp: Date.parse(announced.expiresAt) });
  }
}

/** The reference of the addresses of a file. */
function ofFile(id: string): string {
  return `file:${id}`;
}

/**
 * What an address accepts for a file, as of its head. Undefined if the address was not valid when the upload began, if
 * the file or its announced expiry is past, or if what was changed since goes beyond a limit.
 */
function acceptedOf(
  { hash, expiresAt: closes, file }: Announced,
  { head, since }: { readonly head: FileHead; readonly since: string },
): FileToUpload | undefined {
  if (closes <= since || hasExpired(head)) return undefined;
  try {
    const description = changedDescription(file, changesSince(head, hash));
    return hasExpired(description) ? undefined : { ...file, key: head.key, ...description };
  } catch (error) {
    if (hasCode(error, 'INVALID_ARGUMENT')) return undefined;
    throw error;
  }
}
