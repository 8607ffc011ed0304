import { hasCode } from '../../domain/errors.js';
import { changedDescription } from '../../storage/changed-description.js';
import type { UsedAddress } from '../../storage/contents.js';
import { uploadMissing } from '../../storage/failures.js';
import {
  type AnnouncedFile,
  EXPIRED_ADDRESS_LIFETIME,
  type FileChanges,
  type FileDescription,
  type FileToUpload,
  hasExpired,
  OPEN_ADDRESSES,
  type UploadAddress,
} from '../../storage/file-records.js';
import type { Connection } from '../connection/connection.js';
import { storedJson } from '../connection/stored-json.js';
import { policiesOf } from './file-states.js';

/** The description that an address has, as it is stored. */
interface DescriptionRow {
  readonly tags: string;
  readonly metadata: string;
  readonly accessPolicies: string;
  readonly expiresAt: string | null;
}

interface AddressRow extends DescriptionRow, Omit<AnnouncedFile, keyof FileDescription | 'index'> {
  readonly number: number;
  readonly searched: number;
  /** When the file as it is expires. */
  readonly fileExpires: string | null;
}

const DESCRIPTION = `uploads.tags, uploads.metadata, uploads.access_policies AS accessPolicies,
  uploads.file_expires_at AS expiresAt`;

/** Opens an address for what is announced of a file. Needs a transaction. */
export function openAddress(
  connection: Connection,
  file: number,
  { address, announced }: { readonly address: UploadAddress; readonly announced: FileToUpload },
): void {
  const past = new Date(Date.now() - EXPIRED_ADDRESS_LIFETIME).toISOString();
  connection.cached(`DELETE FROM uploads WHERE expires_at <= ?`).run(past);
  connection
    .cached(
      `DELETE FROM uploads WHERE rowid IN (
         SELECT rowid FROM uploads WHERE file = ? ORDER BY rowid DESC LIMIT -1 OFFSET ?)`,
    )
    .run(file, OPEN_ADDRESSES - 1);
  const { size, contentType, index } = announced;
  connection
    .cached<[object]>(
      `INSERT INTO uploads (hash, file, expires_at, size, content_type, searched, tags, metadata, access_policies,
                            file_expires_at)
       VALUES (@hash, @file, @closes, @size, @contentType, @searched, @tags, @metadata, @accessPolicies, @expiresAt)`,
    )
    .run({
      ...{ hash: address.hash, file, closes: address.expiresAt, size, contentType, searched: Number(index) },
      ...rowOf(announced),
    });
}

/** What an address accepts, with the row number of its file; undefined if it accepts no upload. */
export function findAddress(
  connection: Connection,
  { hash, since }: UsedAddress,
): { readonly number: number; readonly announced: AnnouncedFile } | undefined {
  const row = connection
    .cached<[string, string], AddressRow>(
      `SELECT files.number, bots.id AS botId, files.id, files.version, files.key, files.expires_at AS fileExpires,
              uploads.size, uploads.content_type AS contentType, uploads.searched, ${DESCRIPTION}
       FROM uploads JOIN files ON files.number = file JOIN bots ON bots.number = bot
       WHERE uploads.hash = ? AND uploads.expires_at > ?`,
    )
    .get(hash, since);
  if (!row) return undefined;
  const { number, searched, fileExpires, botId, id, version, key, size, contentType } = row;
  const description = descriptionOf(row, key);
  if (hasExpired(description) || hasExpired({ expiresAt: fileExpires ?? undefined })) return undefined;
  return { number, announced: { botId, id, version, key, size, contentType, index: searched === 1, ...description } };
}

/** As `findAddress`, and closes the address. Needs a transaction. Throws `UPLOAD_MISSING`. */
export function closeAddress(connection: Connection, used: UsedAddress): NonNullable<ReturnType<typeof findAddress>> {
  const found = findAddress(connection, used);
  if (!found) throw uploadMissing();
  connection.cached(`DELETE FROM uploads WHERE hash = ?`).run(used.hash);
  return found;
}

/**
 * Changes what is announced of a file. Needs a transaction. An address whose description would exceed a limit, or
 * cannot be read, is closed: an upload that nobody sees must not keep a file from being changed.
 */
export function changeAnnounced(
  connection: Connection,
  { file, key }: { readonly file: number; readonly key: string },
  changes: FileChanges,
): void {
  const rows = connection
    .cached<[number], DescriptionRow & { readonly hash: string }>(
      `SELECT hash, ${DESCRIPTION} FROM uploads WHERE file = ?`,
    )
    .all(file);
  for (const { hash, ...row } of rows) {
    const changed = descriptionAfter(row, { key, changes });
    if (!changed) {
      connection.cached(`DELETE FROM uploads WHERE hash = ?`).run(hash);
      continue;
    }
    connection
      .cached<[object]>(
        `UPDATE uploads SET tags = @tags, metadata = @metadata, access_policies = @accessPolicies,
                            file_expires_at = @expiresAt
         WHERE hash = @hash`,
      )
      .run({ hash, ...rowOf(changed) });
  }
}

/** A description with changes applied; undefined if it goes beyond a limit, or cannot be read. */
function descriptionAfter(
  row: DescriptionRow,
  { key, changes }: { readonly key: string; readonly changes: FileChanges },
): FileDescription | undefined {
  try {
    return changedDescription(descriptionOf(row, key), changes);
  } catch (error) {
    if (hasCode(error, 'INVALID_ARGUMENT', 'DATABASE_DAMAGED')) return undefined;
    throw error;
  }
}

function rowOf({ tags, metadata, accessPolicies, expiresAt }: FileDescription): DescriptionRow {
  return {
    tags: JSON.stringify(tags),
    metadata: JSON.stringify(metadata),
    accessPolicies: JSON.stringify(accessPolicies),
    expiresAt: expiresAt ?? null,
  };
}

function descriptionOf({ tags, metadata, accessPolicies, expiresAt }: DescriptionRow, key: string): FileDescription {
  const part = `What is announced of the file ${key}`;
  return {
    tags: storedJson(tags, { shape: 'tags', part }),
    metadata: storedJson(metadata, { shape: 'object', part }),
    accessPolicies: policiesOf({ accessPolicies, key }),
    expiresAt: expiresAt ?? undefined,
  };
}
