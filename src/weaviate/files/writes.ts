import type { Cluster, Finder } from '../connection/cluster.js';
import { Records } from '../records/records.js';
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
  /** When it began, in milliseconds since the epoch. */
  readonly since: number;
}

/** Milliseconds after which a write counts as abandoned. Its process may be late by half of that. */
export const ABANDONED_AFTER = 10 * 60_000;

/** The writes that are under way to the files of one bot. */
export class Writes {
  readonly #records: Records<Write>;

  constructor(cluster: Cluster, bot: string) {
    this.#records = new Records<Write>(cluster, { collection: RECORDS, kind: 'write', tenant: bot });
  }

  /** Call it before anything of a write is stored. */
  async begin(write: Write): Promise<void> {
    await this.#records.put({ id: write.id, body: write, stamp: write.since });
  }

  /** Whether a write does not count as abandoned. */
  async isUnderWay({ id, since }: Write): Promise<boolean> {
    return Date.now() - since < ABANDONED_AFTER / 2 && (await this.#records.find(id)) !== undefined;
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
