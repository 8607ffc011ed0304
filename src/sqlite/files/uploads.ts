import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../connection/database.js';

/** Milliseconds for which an address takes an upload. */
const LIFETIME = 15 * 60_000;

/** Addresses that take a file's bytes: unguessable, for one upload, for a quarter of an hour. */
export class Uploads {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The secret of a new address for a file; older ones for it are void. */
  open(file: number): string {
    const secret = randomBytes(32).toString('base64url');
    const expires = new Date(Date.now() + LIFETIME).toISOString();
    this.#database.prepare(`DELETE FROM uploads WHERE file = ? OR expires_at <= ?`).run(file, new Date().toISOString());
    this.#database
      .prepare(`INSERT INTO uploads (hash, file, expires_at) VALUES (?, ?, ?)`)
      .run(hashOf(secret), file, expires);
    return secret;
  }

  /** Whether a secret is good for an upload. */
  isOpen(secret: string): boolean {
    const row = this.#database
      .prepare<[string, string]>(`SELECT 1 FROM uploads WHERE hash = ? AND expires_at > ?`)
      .get(hashOf(secret), new Date().toISOString());
    return row !== undefined;
  }

  /** Takes a secret back: the file and bot that it was for, or undefined where it is unknown, used or too old. */
  take(secret: string): { file: number; bot: number } | undefined {
    return this.#database
      .prepare<[string, string], { file: number; bot: number }>(
        `DELETE FROM uploads WHERE hash = ? AND expires_at > ?
         RETURNING file, (SELECT bot FROM files WHERE number = file) AS bot`,
      )
      .get(hashOf(secret), new Date().toISOString());
  }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
