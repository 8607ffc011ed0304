import type { UsedAddress } from '../../storage/contents.js';
import type { AnnouncedFile, UploadAddresses } from '../../storage/file-records.js';
import type { Connection } from '../connection/connection.js';
import { findAddress } from './upload-addresses.js';

/** Upload addresses in SQLite. */
export class SqliteUploadAddresses implements UploadAddresses {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async find(address: UsedAddress): Promise<AnnouncedFile | undefined> {
    return findAddress(this.#connection, address)?.announced;
  }
}
