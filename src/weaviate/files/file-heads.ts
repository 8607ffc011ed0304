import type { FilterValue } from 'weaviate-client';
import { RequestBatcher } from '../../domain/scheduling/request-batcher.js';
import { stableUuid } from '../../storage/ids/stable-uuid.js';
import { type Cluster, type Finder, type Partition, REACH } from '../connection/cluster.js';
import { type Objects, wholeObjects } from '../connection/objects.js';
import { objectsById } from '../connection/objects-by-id.js';
import { byteOrder } from '../records/byte-order.js';
import { FILES } from '../schema/collections.js';
import { tagEntries } from '../schema/tag-filters.js';
import { accountFiles, expiryOf, isSameAccountFile, isUrgent, putAccountFile } from './account-files.js';
import type { FileHead } from './file-head.js';

/** Heads that are found by their ids together. */
const BY_ID = { items: 200, running: 2 };

/** The heads of one bot's files. A head is written whole, and found by its key. */
export class FileHeads {
  readonly #cluster: Cluster;
  readonly #bot: string;
  readonly #partition: Partition;
  readonly #byId = new RequestBatcher((ids: readonly string[]) => this.#ofIds(ids), BY_ID);

  constructor(cluster: Cluster, bot: string) {
    this.#cluster = cluster;
    this.#bot = bot;
    this.#partition = { collection: FILES, tenant: bot };
  }

  /** The head of a key, also of a file that has expired. A node that was away answers as the others do. */
  async find(key: string): Promise<FileHead | undefined> {
    const body = await this.#cluster.body(this.#partition, objectId(key));
    return body === undefined ? undefined : (JSON.parse(body) as FileHead);
  }

  /** The heads of some keys, by key, as `find` finds each. */
  async findAll(keys: readonly string[]): Promise<Map<string, FileHead>> {
    const heads = await Promise.all(Array.from(new Set(keys), (key) => this.find(key)));
    return new Map(heads.flatMap((head) => (head ? [[head.key, head]] : [])));
  }

  /** The heads of some keys that the replica has which answers, by key. */
  async ofKeys(keys: readonly string[]): Promise<Map<string, FileHead>> {
    return this.#cluster.roundTrip((find) => this.read(find, keys));
  }

  /** The heads of some keys, by key, in a round trip of the caller. */
  async read(find: Finder, keys: readonly string[]): Promise<Map<string, FileHead>> {
    const files = await objectsById(find(FILES, this.#partition.tenant), keys.map(objectId));
    const heads = files.map(headOf);
    return new Map(heads.map((head) => [head.key, head]));
  }

  async byId(fileId: string): Promise<FileHead | undefined> {
    return this.#byId.submit(fileId);
  }

  /** The heads with some ids, at most `REACH`, in no particular order. */
  async byIds(ids: readonly string[]): Promise<FileHead[]> {
    if (ids.length === 0) return [];
    return this.where(({ filter }) => filter.byProperty('fileId').containsAny([...ids]), REACH);
  }

  /** Up to `limit` heads that pass a filter, in no particular order. */
  async where(condition: (objects: Objects) => FilterValue, limit: number): Promise<FileHead[]> {
    const objects = await this.#cluster.roundTrip((find) => {
      const files = find(FILES, this.#partition.tenant);
      return wholeObjects(files, { filters: condition(files), limit });
    });
    return objects.map(headOf);
  }

  /** Whether the bot has any file, even one that has expired. */
  async hasAny(): Promise<boolean> {
    const { objects } = await this.#cluster.roundTrip((find) =>
      find(FILES, this.#partition.tenant).query.fetchObjects({ limit: 1, returnProperties: ['fileId'] }),
    );
    return objects.length > 0;
  }

  /** All heads, by key, also those of files that have expired. */
  async all(): Promise<FileHead[]> {
    const heads: FileHead[] = [];
    for await (const bodies of this.#cluster.pages(this.#partition, 'body')) {
      for (const body of bodies) heads.push(JSON.parse(body) as FileHead);
    }
    return heads.sort((a, b) => byteOrder(a.key, b.key));
  }

  /**
   * Inserts or replaces the head of its key. `former` is the head that the file has now, if it has one: unless the
   * record of the file among those of all bots stays as it is, that is written too.
   */
  async put(head: FileHead, former: FileHead | undefined): Promise<void> {
    const { key, id: fileId, tags, status } = head;
    const properties = { key, fileId, tags: tagEntries(tags), status, expires: expiryOf(head) };
    const object = { id: objectId(key), properties: { ...properties, body: JSON.stringify(head) } };
    const isKnown = isSameAccountFile(head, former);
    // First, so that a process that dies between the two leaves no file that nobody indexes or removes.
    if (!isKnown && isUrgent(head)) await putAccountFile(this.#cluster, this.#bot, head);
    await this.#cluster.insert(this.#partition, [object]);
    if (isKnown || isUrgent(head)) return;
    await putAccountFile(this.#cluster, this.#bot, head);
    // Another write may have found the file done, and made it wait again.
    const current = await this.find(key);
    if (current && !isSameAccountFile(head, current)) await putAccountFile(this.#cluster, this.#bot, current);
  }

  /** Removes a head; with `isMoved`, the file has another one now. */
  async remove({ key, id }: Pick<FileHead, 'key' | 'id'>, { isMoved = false } = {}): Promise<void> {
    await this.#cluster.deleteWhere(this.#partition, ({ filter }) => filter.byId().containsAny([objectId(key)]));
    if (!isMoved) await accountFiles(this.#cluster).remove(id);
  }

  /** The heads with some ids, in the order of these. */
  async #ofIds(ids: readonly string[]): Promise<(FileHead | undefined)[]> {
    const byId = new Map((await this.byIds(ids)).map((head) => [head.id, head]));
    return ids.map((id) => byId.get(id));
  }
}

function objectId(key: string): string {
  return stableUuid(['file', key]);
}

/** The head of an object. */
export function headOf({ properties }: { readonly properties: object }): FileHead {
  return JSON.parse((properties as { readonly body: string }).body) as FileHead;
}
