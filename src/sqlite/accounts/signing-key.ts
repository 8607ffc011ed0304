import type { Connection } from '../connection/connection.js';

/** Bytes of the key: 256 random bits. */
export const KEY_SIZE = 32;

/** The key that addresses of contents are signed with; undefined if it is damaged. */
export function signingKey(connection: Connection): Uint8Array | undefined {
  const keys = connection.prepare<[], Buffer>(`SELECT key FROM signing_key`).pluck().all();
  return keys.length === 1 && keys[0]?.length === KEY_SIZE ? keys[0] : undefined;
}

/** Sets the key; call it in a write transaction. Processes that are running go on with the former one. */
export function putSigningKey(connection: Connection, key: Uint8Array): void {
  connection.exec(`DELETE FROM signing_key`);
  connection.prepare(`INSERT INTO signing_key VALUES (?)`).run(key);
}
