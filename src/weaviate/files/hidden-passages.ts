import { OUTDATED_STATUSES } from '../../storage/file-records.js';
import type { Cluster, Finder } from '../connection/cluster.js';
import { wholeObjects } from '../connection/objects.js';
import { FILES } from '../schema/collections.js';
import { isSearched } from './file-head.js';
import { type FileHeads, headOf } from './file-heads.js';
import type { Writes } from './writes.js';

/** Maximum number of outdated files that are read with a search: others turn out to be hidden when they are read. */
const MOST = 1000;

/** The passages that searches do not find though they are stored. */
export interface Hidden {
  /** Those of them that are known: a search may leave them out. */
  readonly generations: ReadonlySet<string>;
  has(passage: { readonly fileId: string; readonly generation: string }): boolean;
}

/**
 * Knows which passages are hidden: of writes under way and what they replace, of files that have expired, and of
 * files whose content is replaced.
 */
export class HiddenPassages {
  readonly #cluster: Cluster;
  readonly #bot: string;
  readonly #heads: FileHeads;
  readonly #writes: Writes;

  constructor(cluster: Cluster, parts: { readonly bot: string; readonly heads: FileHeads; readonly writes: Writes }) {
    this.#cluster = cluster;
    this.#bot = parts.bot;
    this.#heads = parts.heads;
    this.#writes = parts.writes;
  }

  /** Reads them in a round trip of the caller; while files are written, in one more. */
  async read(find: Finder): Promise<Hidden> {
    const [writes, heads] = await Promise.all([this.#writes.read(find), this.#outdated(find)]);
    const outdated = heads.filter((head) => !isSearched(head));
    const files = new Set(outdated.map(({ id }) => id));
    const generations = new Set(writes.flatMap((write) => write.generations));
    if (writes.length > 0) {
      const written = await this.#heads.ofKeys(writes.map(({ key }) => key));
      for (const { generation } of written.values()) if (generation !== null) generations.delete(generation);
    }
    for (const { generation } of outdated) if (generation !== null) generations.add(generation);
    return { generations, has: ({ fileId, generation }) => files.has(fileId) || generations.has(generation) };
  }

  async #outdated(find: Finder) {
    const files = find(FILES, this.#bot);
    const { filter } = files;
    const isOutdated = filter.byProperty('status').containsAny([...OUTDATED_STATUSES]);
    const hasExpired = filter.byProperty('expires').lessOrEqual(Date.now());
    const filters = this.#cluster.filters.or(isOutdated, hasExpired);
    return (await wholeObjects(files, { filters, limit: MOST })).map(headOf);
  }
}
