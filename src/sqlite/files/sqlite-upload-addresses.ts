import { type AnnouncedFile, EXPIRED_ADDRESS_LIFETIME, type UploadAddresses } from '../../storage/file-records.js';
import type { Connection } from '../connection/connection.js';

type AddressRow = Omit<AnnouncedFile, 'index'> & { readonly searched: number };

/** Upload addresses in SQLite. */
export class SqliteUploadAddresses implements UploadAddresses {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async put({ index, ...address }: Parameters<UploadAddresses['put']>[0]): Promise<void> {
    await this.#connection.write(() => {
      const past = new Date(Date.now() - EXPIRED_ADDRESS_LIFETIME).toISOString();
      this.#connection.cached(`DELETE FROM uploads WHERE expires_at <= ?`).run(past);
      this.#connection
        .cached<[object]>(
          `INSERT INTO uploads (hash, file, expires_at, size, content_type, searched)
           SELECT @hash, number, @expiresAt, @size, @contentType, @searched FROM files WHERE id = @fileId`,
        )
        .run({ ...address, searched: Number(index) });
    });
  }

  async find(hash: string): Promise<AnnouncedFile | undefined> {
    return this.#find(hash, new Date().toISOString());
  }

  async take(hash: string, since: string): Promise<AnnouncedFile | undefined> {
    return this.#connection.write(() => {
      const found = this.#find(hash, since);
      if (found) this.#connection.cached(`DELETE FROM uploads WHERE hash = ?`).run(hash);
      return found;
    });
  }

  #find(hash: string, at: string): AnnouncedFile | undefined {
    const found = this.#connection
      .cached<[string, string], AddressRow>(
        `SELECT bots.id AS botId, files.id AS fileId, uploads.size, uploads.content_type AS contentType,
                uploads.searched
         FROM uploads JOIN files ON files.number = file JOIN bots ON bots.number = bot
         WHERE uploads.hash = ? AND uploads.expires_at > ?`,
      )
      .get(hash, at);
    if (!found) return undefined;
    const { searched, ...announced } = found;
    return { ...announced, index: searched === 1 };
  }
}
