import type { AnnouncedFile, UploadAddresses } from '../../storage/file-records.js';
import type { Connection } from '../connection/connection.js';

/** Upload addresses in SQLite. */
export class SqliteUploadAddresses implements UploadAddresses {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async put({ hash, over, expiresAt }: Parameters<UploadAddresses['put']>[0]): Promise<void> {
    await this.#connection.write(() => {
      this.#connection.cached(`DELETE FROM uploads WHERE expires_at <= ?`).run(new Date().toISOString());
      this.#connection
        .cached(
          `INSERT INTO uploads (hash, file, expires_at) SELECT ?, number, ? FROM files WHERE id = ? AND version = ?`,
        )
        .run(hash, expiresAt, over.id, over.version);
    });
  }

  async botOf(hash: string): Promise<string | undefined> {
    return this.#connection
      .cached<[string, string], string>(
        `SELECT bots.id FROM uploads JOIN files ON files.number = file JOIN bots ON bots.number = bot
         WHERE uploads.hash = ? AND uploads.expires_at > ?`,
      )
      .pluck()
      .get(hash, new Date().toISOString());
  }

  async take(hash: string): Promise<AnnouncedFile | undefined> {
    return this.#connection.write(() => {
      const taken = this.#connection
        .cached<[string, string], { botId: string; id: string; version: number; size: number }>(
          `SELECT bots.id AS botId, files.id, files.version, files.size FROM uploads
           JOIN files ON files.number = file JOIN bots ON bots.number = bot
           WHERE uploads.hash = ? AND uploads.expires_at > ?`,
        )
        .get(hash, new Date().toISOString());
      if (!taken) return undefined;
      this.#connection.cached(`DELETE FROM uploads WHERE hash = ?`).run(hash);
      const { botId, id, version, size } = taken;
      return { botId, over: { id, version }, size };
    });
  }
}

/** Closes the addresses of a file that is announced again or gets its content in another way. */
export function closeAddresses(connection: Connection, file: number): void {
  connection.cached<[number]>(`DELETE FROM uploads WHERE file = ?`).run(file);
}
