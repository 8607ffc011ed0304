import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Connection } from '../connection/connection.js';

/** A stored HNSW graph. */
export interface Snapshot {
  /** The sequence number of the last change that it includes. */
  readonly sequence: number;
  readonly bytes: Uint8Array;
}

/** The row of a snapshot, and the row numbers of its parts with their lengths. */
interface StoredSnapshot {
  readonly sequence: number;
  readonly checksum: string;
  readonly name: string;
  readonly parts: readonly { readonly number: number; readonly length: number }[];
}

/**
 * Bytes hashed and read or written at a time: about 10 ms, so that a large snapshot does not block the event loop. Node
 * hashes less than 2 GiB at once; the graph of 1,500,000 passages takes more.
 */
const PART = 4 << 20;

/** The HNSW graph of a bot as it was last written. */
export class Snapshots {
  readonly #connection: Connection;
  readonly #bot: number;

  constructor(connection: Connection, bot: number) {
    this.#connection = connection;
    this.#bot = bot;
  }

  /** The sequence number of the last change that the snapshot includes; undefined without a snapshot. */
  sequence(): number | undefined {
    return this.#connection
      .prepare<[number], number>(`SELECT sequence FROM snapshots WHERE bot = ?`)
      .pluck()
      .get(this.#bot);
  }

  /** Undefined without a snapshot; 'damaged' if it is not as it was written. The event loop runs meanwhile. */
  async read(): Promise<Snapshot | 'damaged' | undefined> {
    for (;;) {
      const stored = this.#connection.read(() => this.#stored());
      if (!stored) return undefined;
      const snapshot = await this.#read(stored);
      if (snapshot) return snapshot;
      // Another process has replaced it meanwhile.
      if (this.#stored()?.name === stored.name) return 'damaged';
    }
  }

  /**
   * Replaces the snapshot; the old one is valid until the last part is written. `model` is the row number of the model
   * that the graph is for: nothing is stored once the bot has another.
   */
  async write({ sequence, bytes }: Snapshot, { model }: { readonly model: number }): Promise<void> {
    const name = randomUUID();
    const parts = Math.ceil(bytes.length / PART);
    const insert = this.#connection.prepare(`INSERT INTO snapshot_parts (bot, snapshot, bytes) VALUES (?, ?, ?)`);
    const hash = createHash('sha256');
    for (let i = 0; i < parts; i++) {
      const part = bytes.subarray(i * PART, (i + 1) * PART);
      hash.update(part);
      await this.#connection.write(() => insert.run(this.#bot, name, part));
      await setImmediate();
    }
    // If another process has written its own snapshot meanwhile, it has deleted our parts: its snapshot wins.
    const checksum = hash.digest('hex');
    const complete = this.#connection.prepare(
      `INSERT INTO snapshots (bot, sequence, checksum, name, parts)
         SELECT @bot, @sequence, @checksum, @name, @parts
         WHERE (SELECT count(*) FROM snapshot_parts WHERE bot = @bot AND snapshot = @name) = @parts
           AND (SELECT model FROM bots WHERE number = @bot) = @model
         ON CONFLICT (bot) DO UPDATE SET sequence = excluded.sequence, checksum = excluded.checksum,
           name = excluded.name, parts = excluded.parts`,
    );
    await this.#connection.write(() => complete.run({ bot: this.#bot, model, sequence, checksum, name, parts }));
    await this.#removeStrays();
  }

  async remove(): Promise<void> {
    const remove = this.#connection.prepare(`DELETE FROM snapshots WHERE bot = ?`);
    await this.#connection.write(() => remove.run(this.#bot));
    await this.#removeStrays();
  }

  #stored(): StoredSnapshot | undefined {
    const row = this.#connection
      .prepare<[number], Omit<StoredSnapshot, 'parts'>>(`SELECT sequence, checksum, name FROM snapshots WHERE bot = ?`)
      .get(this.#bot);
    if (!row) return undefined;
    const parts = this.#connection
      .prepare<[number, string], { number: number; length: number }>(
        `SELECT number, length(bytes) AS length FROM snapshot_parts WHERE bot = ? AND snapshot = ? ORDER BY number`,
      )
      .all(this.#bot, row.name);
    return { ...row, parts };
  }

  /** Undefined if a part is gone. */
  async #read({ sequence, checksum, name, parts }: StoredSnapshot): Promise<Snapshot | 'damaged' | undefined> {
    const select = this.#connection
      .prepare<[number, string], Buffer>(`SELECT bytes FROM snapshot_parts WHERE number = ? AND snapshot = ?`)
      .pluck();
    // Part by part: holding all parts and the whole at once would take twice the memory, gigabytes of it.
    const bytes = Buffer.allocUnsafe(parts.reduce((sum, { length }) => sum + length, 0));
    const hash = createHash('sha256');
    let end = 0;
    for (const { number, length } of parts) {
      await setImmediate();
      const part = select.get(number, name);
      if (part?.length !== length) return undefined;
      hash.update(part);
      end += part.copy(bytes, end);
    }
    return hash.digest('hex') === checksum ? { sequence, bytes } : 'damaged';
  }

  /** Deletes the parts of earlier snapshots and of those whose writing was interrupted. */
  async #removeStrays(): Promise<void> {
    const stray = `snapshot IS NOT (SELECT name FROM snapshots WHERE snapshots.bot = snapshot_parts.bot)`;
    const strays = this.#connection
      .prepare<[number], number>(`SELECT number FROM snapshot_parts WHERE bot = ? AND ${stray}`)
      .pluck()
      .all(this.#bot);
    // Checked again for each part: another process may have completed the snapshot meanwhile.
    const remove = this.#connection.prepare(`DELETE FROM snapshot_parts WHERE number = ? AND ${stray}`);
    for (const number of strays) {
      await this.#connection.write(() => remove.run(number));
      await setImmediate();
    }
  }
}
