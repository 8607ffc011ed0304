import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Database } from '../connection/database.js';

export interface Snapshot {
  /** Of the last change that is in it. */
  readonly sequence: number;
  readonly bytes: Uint8Array;
}

/** Bytes written in one transaction: about 10 ms, so that a large snapshot does not hold up the event loop. */
const PART = 4 << 20;

/** A bot's HNSW graph as it was last written. */
export class Snapshots {
  readonly #database: Database;
  readonly #bot: number;

  constructor(database: Database, bot: number) {
    this.#database = database;
    this.#bot = bot;
  }

  /** Of the last change that the snapshot has; undefined where there is none. */
  sequence(): number | undefined {
    return this.#database
      .prepare<[number], number>(`SELECT sequence FROM snapshots WHERE bot = ?`)
      .pluck()
      .get(this.#bot);
  }

  /** The snapshot; undefined where there is none, 'damaged' where it is not as it was written. */
  read(): Snapshot | 'damaged' | undefined {
    const row = this.#database
      .prepare<[number], { sequence: number; checksum: string; name: string }>(
        `SELECT sequence, checksum, name FROM snapshots WHERE bot = ?`,
      )
      .get(this.#bot);
    if (!row) return undefined;
    const parts = this.#database
      .prepare<[number, string], Buffer>(
        `SELECT bytes FROM snapshot_parts WHERE bot = ? AND snapshot = ? ORDER BY number`,
      )
      .pluck()
      .all(this.#bot, row.name);
    const bytes = Buffer.concat(parts);
    return sha256(bytes) === row.checksum ? { sequence: row.sequence, bytes } : 'damaged';
  }

  /** Replaces the snapshot; until the last part is there, the old one stays. */
  async write({ sequence, bytes }: Snapshot): Promise<void> {
    const name = randomUUID();
    const parts = Math.ceil(bytes.length / PART);
    const insert = this.#database.prepare(`INSERT INTO snapshot_parts (bot, snapshot, bytes) VALUES (?, ?, ?)`);
    for (let i = 0; i < parts; i++) {
      insert.run(this.#bot, name, bytes.subarray(i * PART, (i + 1) * PART));
      await setImmediate();
    }
    // Another process that wrote one of its own meanwhile has removed our parts: then its snapshot is the one.
    this.#database
      .prepare(
        `INSERT INTO snapshots (bot, sequence, checksum, name, parts)
         SELECT @bot, @sequence, @checksum, @name, @parts
         WHERE (SELECT count(*) FROM snapshot_parts WHERE bot = @bot AND snapshot = @name) = @parts
         ON CONFLICT (bot) DO UPDATE SET sequence = excluded.sequence, checksum = excluded.checksum,
           name = excluded.name, parts = excluded.parts`,
      )
      .run({ bot: this.#bot, sequence, checksum: sha256(bytes), name, parts });
    await this.#removeStrays();
  }

  async remove(): Promise<void> {
    this.#database.prepare(`DELETE FROM snapshots WHERE bot = ?`).run(this.#bot);
    await this.#removeStrays();
  }

  /** Removes parts that are not the snapshot's: of the one before, or of one whose writing was cut short. */
  async #removeStrays(): Promise<void> {
    const stray = `snapshot IS NOT (SELECT name FROM snapshots WHERE snapshots.bot = snapshot_parts.bot)`;
    const strays = this.#database
      .prepare<[number], number>(`SELECT number FROM snapshot_parts WHERE bot = ? AND ${stray}`)
      .pluck()
      .all(this.#bot);
    // Asked again with each: another process may have made them its snapshot meanwhile.
    const remove = this.#database.prepare(`DELETE FROM snapshot_parts WHERE number = ? AND ${stray}`);
    for (const number of strays) {
      remove.run(number);
      await setImmediate();
    }
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
