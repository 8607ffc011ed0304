import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Database } from './database.js';

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

  /** The snapshot; undefined where there is none, or where it is not as it was written. */
  read(): Snapshot | undefined {
    const row = this.#database
      .prepare<[number], { sequence: number; checksum: string; part: number; parts: number }>(
        `SELECT sequence, checksum, part, parts FROM snapshots WHERE bot = ?`,
      )
      .get(this.#bot);
    if (!row) return undefined;
    const parts = this.#database
      .prepare<[number, number], Buffer>(
        `SELECT bytes FROM snapshot_parts WHERE number >= ? AND number < ? ORDER BY number`,
      )
      .pluck()
      .all(row.part, row.part + row.parts);
    const bytes = Buffer.concat(parts);
    return sha256(bytes) === row.checksum ? { sequence: row.sequence, bytes } : undefined;
  }

  /** Replaces the snapshot; until the last part is there, the old one stays. */
  async write({ sequence, bytes }: Snapshot): Promise<void> {
    const parts = Math.ceil(bytes.length / PART);
    const last = this.#database.prepare<[], number>(`SELECT coalesce(max(number), 0) FROM snapshot_parts`).pluck();
    const first = (last.get() ?? 0) + 1;
    const insert = this.#database.prepare(`INSERT INTO snapshot_parts (number, bytes) VALUES (?, ?)`);
    for (let i = 0; i < parts; i++) {
      insert.run(first + i, bytes.subarray(i * PART, (i + 1) * PART));
      await setImmediate();
    }
    this.#database
      .prepare(
        `INSERT INTO snapshots (bot, sequence, checksum, part, parts) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (bot) DO UPDATE SET sequence = excluded.sequence, checksum = excluded.checksum,
           part = excluded.part, parts = excluded.parts`,
      )
      .run(this.#bot, sequence, sha256(bytes), first, parts);
    await this.#removeStrays();
  }

  async remove(): Promise<void> {
    if (this.#database.prepare(`DELETE FROM snapshots WHERE bot = ?`).run(this.#bot).changes > 0)
      await this.#removeStrays();
  }

  /** Removes parts that no snapshot names: of the one before, or of one whose writing was cut short. */
  async #removeStrays(): Promise<void> {
    const strays = this.#database
      .prepare<[], number>(
        `SELECT number FROM snapshot_parts WHERE NOT EXISTS
           (SELECT 1 FROM snapshots WHERE number >= part AND number < part + parts)`,
      )
      .pluck()
      .all();
    const remove = this.#database.prepare(`DELETE FROM snapshot_parts WHERE number = ?`);
    for (const number of strays) {
      remove.run(number);
      await setImmediate();
    }
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
