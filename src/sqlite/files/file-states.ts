import type { DamagedFile, FileState } from '../../storage/copies.js';
import { ACCESS_POLICIES, type AccessPolicy } from '../../storage/file-access.js';
import type { Connection } from '../connection/connection.js';
import { storedJson } from '../connection/stored-json.js';
import { assertFileIntact, isReadable, rowOfFile } from './seal-file.js';

interface Row
  extends Omit<
    FileState,
    'metadata' | 'tags' | 'warnings' | 'accessPolicies' | 'index' | 'expiresAt' | 'passages' | 'keepsDescription'
  > {
  readonly number: number;
  readonly checksum: number | null;
  readonly metadata: string;
  readonly tags: string;
  readonly warnings: string;
  readonly accessPolicies: string;
  readonly index: 0 | 1;
  readonly reason: string | null;
  readonly expiresAt: string | null;
  readonly keepsDescription: 0 | 1;
  readonly passages: number;
}

const STATE = `number, checksum,
  id, version, key, folder, size, mtime, ctime, inode, hash, pipeline, indexed_at AS indexedAt,
  content_type AS contentType, title, metadata, warnings, created_at AS createdAt, updated_at AS updatedAt, status,
  reason, searched AS "index", access_policies AS accessPolicies, expires_at AS expiresAt,
  keeps_description AS keepsDescription,
  (SELECT json_group_object(file_tags.key, value) FROM file_tags WHERE file = files.number) AS tags,
  (SELECT count(*) FROM passages WHERE file = files.number) AS passages`;

/** Rows read at a time. */
const PAGE = 200;

/** The states of all files of a bot, by their ids. They are not compared with their checksums. */
export function* fileStates(connection: Connection, bot: number): Generator<FileState | DamagedFile> {
  // In pages, not with one iterator: a connection cannot write while it iterates.
  const select = connection.prepare<[number, string, number], Row>(
    `SELECT ${STATE} FROM files WHERE bot = ? AND id > ? ORDER BY id LIMIT ?`,
  );
  for (let after = ''; ; ) {
    const rows = select.all(bot, after, PAGE);
    yield* rows.map((row) => (isReadable(row) ? stateOf(row) : damagedFile(row)));
    after = rows.at(-1)?.id ?? after;
    if (rows.length < PAGE) return;
  }
}

/** A file of a bot by its id, with its row number. Needs a transaction. Throws `DATABASE_DAMAGED`. */
export function fileState(
  connection: Connection,
  { bot, id }: { readonly bot: number; readonly id: string },
): { readonly number: number; readonly state: FileState } | undefined {
  const row = connection
    .cached<[number, string], Row>(`SELECT ${STATE} FROM files WHERE bot = ? AND id = ?`)
    .get(bot, id);
  if (!row) return undefined;
  assertFileIntact(connection, row);
  return { number: row.number, state: stateOf(row) };
}

function stateOf(row: Row): FileState {
  const {
    number: _,
    checksum: __,
    metadata,
    tags,
    warnings,
    accessPolicies,
    index,
    reason,
    expiresAt,
    keepsDescription,
    ...columns
  } = row;
  const part = rowOfFile(row.key);
  return {
    ...columns,
    metadata: storedJson(metadata, { shape: 'object', part }),
    tags: JSON.parse(tags),
    warnings: storedJson(warnings, { shape: 'texts', part }),
    accessPolicies: policiesOf({ accessPolicies, key: row.key }),
    index: index === 1,
    ...(reason !== null && { failedStatusReason: reason }),
    ...(expiresAt !== null && { expiresAt }),
    ...(keepsDescription === 1 && { keepsDescription: true }),
  };
}

function damagedFile({ id, version, key, status, pipeline, passages }: Row): DamagedFile {
  return { id, version, key, status, pipeline, passages, isDamaged: true };
}

/** The access policies in a column. Earlier versions stored any string. */
export function policiesOf({ accessPolicies, key }: Pick<Row, 'accessPolicies' | 'key'>): AccessPolicy[] {
  const stored = storedJson<readonly string[]>(accessPolicies, { shape: 'texts', part: rowOfFile(key) });
  return ACCESS_POLICIES.filter((policy) => stored.includes(policy));
}
