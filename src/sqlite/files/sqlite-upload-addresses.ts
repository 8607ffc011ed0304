import type { UploadAddresses } from '../../storage/file-records.js';
import type { Connection } from '../connection/connection.js';

/** Upload addresses in SQLite. */
export class SqliteUploadAddresses implements UploadAddresses {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async put({ hash, fileId, expiresAt }: Parameters<UploadAddresses['put']>[0]): Promise<void> {
    this.#connection.write(() => {
      this.#connection
        .prepare(`DELETE FROM uploads WHERE file = (SELECT number FROM files WHERE id = ?) OR expires_at <= ?`)
        .run(fileId, new Date().toISOString());
      this.#connection
        .prepare(`INSERT INTO uploads (hash, file, expires_at) SELECT ?, number, ? FROM files WHERE id = ?`)
        .run(hash, expiresAt, fileId);
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

  async take(hash: string): Promise<{ fileId: string; botId: string } | undefined> {
    return this.#connection.write(() => {
      const taken = this.#connection
        .prepare<[string, string], { fileId: string; botId: string }>(
          `SELECT files.id AS fileId, bots.id AS botId FROM uploads
           JOIN files ON files.number = file JOIN bots ON bots.number = bot
           WHERE uploads.hash = ? AND uploads.expires_at > ?`,
        )
        .get(hash, new Date().toISOString());
      if (taken) this.#connection.prepare(`DELETE FROM uploads WHERE hash = ?`).run(hash);
      return taken;
    });
  }
}
