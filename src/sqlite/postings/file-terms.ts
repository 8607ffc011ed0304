import { fileTerms } from '../../text/file-terms.js';
import type { Connection } from '../connection/connection.js';
import { storedJson } from '../connection/stored-json.js';
import { stemOf } from './stems.js';

/** Counts the changes of terms by each connection. */
const changes = new WeakMap<Connection, number>();

/** The fields of a file's row that its terms follow from, see `fileTerms`. */
interface NamedFile {
  readonly number: number;
  readonly key: string;
  /** JSON. */
  readonly metadata: string;
}

/** Stores the terms of a file that follow from its row; call it in the transaction that changed the row. */
export function putFileTerms(connection: Connection, number: number): void {
  const file = connection
    .cached<[number], NamedFile & { readonly bot: number }>(
      `SELECT number, bot, key, metadata FROM files WHERE number = ?`,
    )
    .get(number);
  // Most changes of a row leave its name and description as they are, and cached posting lists valid.
  if (!file || hasCorrectTerms(connection, file)) return;
  changes.set(connection, fileTermChanges(connection) + 1);
  connection.cached<[number]>(`DELETE FROM file_terms WHERE file = ?`).run(number);
  connection
    .cached<[number, number, string]>(`INSERT INTO file_terms (bot, file, term) SELECT ?, ?, value FROM json_each(?)`)
    .run(file.bot, number, JSON.stringify(stemsOf(file)));
}

/** Whether the stored terms of a file are those that follow from its row. */
export function hasCorrectTerms(connection: Connection, file: NamedFile): boolean {
  const stored = connection.cached<[number], string>(`SELECT term FROM file_terms WHERE file = ?`).pluck();
  return stored.all(file.number).sort().join(' ') === stemsOf(file).join(' ');
}

/** Sets the terms of all files of a bot whose files an earlier version wrote. */
export async function fillFileTerms(connection: Connection, bot: number): Promise<void> {
  const isEmpty = () => !connection.prepare<[number]>(`SELECT 1 FROM file_terms WHERE bot = ? LIMIT 1`).get(bot);
  const files = connection.prepare<[number], NamedFile>(`SELECT number, key, metadata FROM files WHERE bot = ?`);
  const named = isEmpty() ? files.all(bot).filter((file) => stemsOf(file).length > 0) : [];
  // A name may have no terms: then nothing is written whenever the bot is opened.
  if (named.length === 0) return;
  await connection.write(() => {
    if (isEmpty()) for (const { number } of named) putFileTerms(connection, number);
  });
}

/**
 * How often this connection has changed the terms of files. What was read of them stays valid until the number grows.
 */
export function fileTermChanges(connection: Connection): number {
  return changes.get(connection) ?? 0;
}

/** The stems of a file's terms, sorted. */
function stemsOf({ key, metadata }: NamedFile): string[] {
  const part = `The row of the file ${key}`;
  const terms = fileTerms({ key, metadata: storedJson(metadata, { shape: 'object', part }) });
  return [...new Set(Array.from(terms, stemOf))].sort();
}
