import { setImmediate } from 'node:timers/promises';
import type { Abortable } from '../../domain/abortable.js';
import { Turns } from '../../domain/scheduling/turns.js';
import {
  type ByteSource,
  type Contents,
  partsOf,
  STAGED_CONTENT_LIFETIME,
  type StagedContent,
} from '../../storage/contents.js';
import { Utf8Check } from '../../text/utf8-check.js';
import type { Connection } from '../connection/connection.js';
import { appendPart, insertContent } from './contents.js';

/** Parts removed at a time: about two milliseconds. */
const STEP = 16;

/** Contents in SQLite, in parts that are written and read one by one. */
export class SqliteContents implements Contents {
  readonly #connection: Connection;
  /** Many contents may arrive at once: bots take turns, and other work runs between two writes. */
  readonly #turns = new Turns();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async stage(source: ByteSource, botId: string, { signal }: Abortable = {}): Promise<StagedContent> {
    const connection = this.#connection;
    const write = async <T>(work: () => T) => {
      await this.#turns.next(botId, signal);
      return connection.write(work, { signal });
    };
    const id = await write(() => insertContent(connection));
    try {
      const check = new Utf8Check();
      let size = 0;
      for await (const part of partsOf(source)) {
        check.add(part);
        await write(() => appendPart(connection, id, part));
        size += part.length;
      }
      await write(() =>
        connection.cached(`UPDATE contents SET is_utf8 = ? WHERE number = ?`).run(Number(check.isUtf8), id),
      );
      return { id: String(id), size };
    } catch (error) {
      // What cannot be removed now, for example on a full disk, is removed later as abandoned.
      await this.#remove(id).catch(() => {});
      throw error;
    }
  }

  async discard({ id }: StagedContent): Promise<void> {
    await this.#remove(Number(id));
  }

  async removeAbandoned(): Promise<void> {
    const abandoned = this.#connection
      .cached<[string], number>(`SELECT number FROM contents WHERE file IS NULL AND touched_at < ?`)
      .pluck()
      .all(new Date(Date.now() - STAGED_CONTENT_LIFETIME).toISOString());
    for (const content of abandoned) await this.#remove(content);
  }

  async #remove(content: number): Promise<void> {
    while (await this.#connection.write(() => this.#removeParts(content))) await setImmediate();
  }

  /** Removes some parts of a staged content, and with the last ones the content. Returns whether there are more. */
  #removeParts(content: number): boolean {
    const { changes } = this.#connection
      .cached(
        `DELETE FROM content_parts WHERE (content, start) IN (
           SELECT content, start FROM content_parts JOIN contents ON number = content
           WHERE content = ? AND file IS NULL LIMIT ?)`,
      )
      .run(content, STEP);
    if (changes === STEP) return true;
    this.#connection.cached(`DELETE FROM contents WHERE number = ? AND file IS NULL`).run(content);
    return false;
  }
}
