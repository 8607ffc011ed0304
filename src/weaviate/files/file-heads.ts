import type { FilterValue } from 'weaviate-client';
import { stableUuid } from '../../storage/stable-uuid.js';
import { type Cluster, type Finder, type Objects, pagesOf } from '../connection/cluster.js';
import { FILES } from '../schema/collections.js';
import { tagEntries } from '../schema/tag-filters.js';
import type { FileHead } from './file-head.js';

/** Heads read at a time. */
const PAGE = 1000;

/** The time, in milliseconds since the epoch, when a file expires that never does. */
export const NEVER = 1e15;

/** The heads of one bot's files. A head is written whole, and found by its key. */
export class FileHeads {
  readonly #cluster: Cluster;
  readonly #bot: string;

  constructor(cluster: Cluster, bot: string) {
    this.#cluster = cluster;
    this.#bot = bot;
  }

  /** The head of a key, also of a file that has expired. */
  async find(key: string): Promise<FileHead | undefined> {
    return (await this.ofKeys([key])).get(key);
  }

  /** The heads of some keys, by key. */
  async ofKeys(keys: readonly string[]): Promise<Map<string, FileHead>> {
    return this.#cluster.roundTrip((find) => this.read(find, keys));
  }

  /** The heads of some keys, by key, in a round trip of the caller. */
  async read(find: Finder, keys: readonly string[]): Promise<Map<string, FileHead>> {
    const ids = [...new Set(keys)].map(objectId);
    const { filter, query } = find(FILES, this.#bot);
    const pages = await Promise.all(
      pagesOf(ids, PAGE).map((page) => {
        const filters = filter.byId().containsAny([...page]);
        return query.fetchObjects({ filters, limit: PAGE, returnProperties: ['body'] });
      }),
    );
    const heads = pages.flatMap(({ objects }) => objects.map(headOf));
    return new Map(heads.map((head) => [head.key, head]));
  }

  async byId(fileId: string): Promise<FileHead | undefined> {
    const [head] = await this.where(({ filter }) => filter.byProperty('fileId').equal(fileId), 1);
    return head;
  }

  /** Up to `limit` heads that pass a filter, in no particular order. */
  async where(condition: (objects: Objects) => FilterValue, limit: number): Promise<FileHead[]> {
    const { objects } = await this.#cluster.roundTrip((find) => {
      const files = find(FILES, this.#bot);
      return files.query.fetchObjects({ filters: condition(files), limit, returnProperties: ['body'] });
    });
    return objects.map(headOf);
  }

  /** All heads, by key, also those of files that have expired. */
  async all(): Promise<FileHead[]> {
    const heads: FileHead[] = [];
    for (let after: string | undefined; ; ) {
      const { objects } = await this.#cluster.roundTrip((find) =>
        find(FILES, this.#bot).query.fetchObjects({
          ...{ limit: PAGE, returnProperties: ['body'] },
          ...(after !== undefined && { after }),
        }),
      );
      heads.push(...objects.map(headOf));
      after = objects.at(-1)?.uuid;
      if (objects.length < PAGE) break;
    }
    return heads.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }

  /** Inserts or replaces the head of its key. */
  async put(head: FileHead): Promise<void> {
    const { key, id: fileId, tags, status, expiresAt } = head;
    const expires = expiresAt === undefined ? NEVER : Date.parse(expiresAt);
    const properties = { key, fileId, tags: tagEntries(tags), status, expires, body: JSON.stringify(head) };
    await this.#cluster.insert(FILES, [{ id: objectId(key), properties }], this.#bot);
  }

  async remove(key: string): Promise<void> {
    await this.#cluster.write((find) => {
      const { filter, data } = find(FILES, this.#bot);
      return data.deleteMany(filter.byId().containsAny([objectId(key)]));
    });
  }
}

function objectId(key: string): string {
  return stableUuid(['file', key]);
}

/** The head of an object. */
export function headOf({ properties }: { readonly properties: object }): FileHead {
  return JSON.parse((properties as { readonly body: string }).body) as FileHead;
}
