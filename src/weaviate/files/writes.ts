import type { Cluster, Finder } from '../connection/cluster.js';
import { Records } from '../records/records.js';
import { renewing } from '../records/renewing.js';
import { RECORDS } from '../schema/collections.js';

/** A write of a file that is under way, or was when its process died. */
export interface Write {
  /** Names the write: the generation that it writes, or a UUID if it writes none. */
  readonly id: string;
  readonly key: string;
  /** The generations that the write leaves behind if it does not end: the one it writes, and the one it replaces. */
  readonly generations: readonly string[];
  /** The contents that the write leaves behind if it does not end. */
  readonly contents: readonly string[];
  /** The key that the file had before, if the write moves it. */
  readonly from?: string | undefined;
  /** When it began, or was announced again, in milliseconds since the epoch. */
  readonly since: number;
}

/** Milliseconds after which a write counts as abandoned. Its process may be late by half of that. */
export const ABANDONED_AFTER = 10 * 60_000;

/** The writes that are under way to the files of one bot. */
export class Writes {
  readonly #records: Records<Write>;
  readonly #abandonedAfter: number;

  constructor(cluster: Cluster, bot: string, { abandonedAfter = ABANDONED_AFTER } = {}) {
    this.#records = new Records<Write>(cluster, { collection: RECORDS, kind: 'write', tenant: bot });
    this.#abandonedAfter = abandonedAfter;
  }

  /** Call it before anything of a write is stored. */
  async begin(write: Write): Promise<void> {
    await this.#records.put({ id: write.id, body: write, stamp: write.since });
  }

  /**
   * Announces a write again and again until `work` has ended: storing a large file takes many minutes. `isUnderWay`
   * says whether the write was not taken for abandoned.
   */
  async announcing<T>(write: Write, work: (isUnderWay: () => Promise<boolean>) => Promise<T>): Promise<T> {
    let { since } = write;
    const isInTime = () => Date.now() - since < this.#abandonedAfter / 2;
    const renew = async () => {
      const now = Date.now();
      // One that is late may have been taken for abandoned: it must not be announced again.
      if (!isInTime()) return;
      await this.begin({ ...write, since: now });
      since = now;
    };
    const isUnderWay = async () => isInTime() && (await this.#records.find(write.id)) !== undefined;
    return renewing({ every: this.#abandonedAfter / 10, renew }, () => work(isUnderWay));
  }

  /** Those of some generations that are being written. A node that was away answers as the others do. */
  async writing(generations: readonly string[]): Promise<string[]> {
    const found = await Promise.all(generations.map((generation) => this.#records.find(generation)));
    return found.flatMap((write) => write?.id ?? []);
  }

  async end(writes: readonly Write[]): Promise<void> {
    await this.#records.remove(...writes.map(({ id }) => id));
  }

  async list(): Promise<Write[]> {
    return this.#records.list();
  }

  /** Up to 1,000, as part of another round trip. */
  async read(find: Finder): Promise<Write[]> {
    return this.#records.read(find);
  }
}
