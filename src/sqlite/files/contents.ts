import type { Connection } from '../connection/connection.js';
import { crc32 } from '../connection/crc32.js';

/** Stores the uploaded bytes of a file. Needs a transaction. */
export function putContent(connection: Connection, file: number, bytes: Uint8Array): void {
  connection
    .cached(
      `INSERT INTO contents (file, bytes, checksum) VALUES (?, ?, ?)
       ON CONFLICT (file) DO UPDATE SET bytes = excluded.bytes, checksum = excluded.checksum`,
    )
    .run(file, bytes, crc32(bytes));
}

/** Removes the uploaded bytes of a file. Needs a transaction. */
export function removeContent(connection: Connection, file: number): void {
  connection.cached(`DELETE FROM contents WHERE file = ?`).run(file);
}
