import { createHash, randomBytes } from 'node:crypto';
import { WaymarkError } from '../../domain/errors.js';
import type {
  AnnouncedContent,
  AnnouncedFile,
  FileRecord,
  FileRecords,
  UploadAddresses,
} from '../../storage/file-records.js';

/** Milliseconds for which an address accepts an upload. */
const LIFETIME = 15 * 60_000;

/** Secrets of addresses that accept the bytes of a file: 256 random bits, for one upload, stored as a hash. */
export class UploadSecrets {
  readonly #addresses: UploadAddresses;

  constructor(addresses: UploadAddresses) {
    this.#addresses = addresses;
  }

  /** The secret of a new address for the content of a file. */
  async create(fileId: string, { size, contentType, index }: AnnouncedContent): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    const expiresAt = new Date(Date.now() + LIFETIME).toISOString();
    await this.#addresses.put({ hash: hashOf(secret), fileId, size, contentType, index, expiresAt });
    return secret;
  }

  /** The file whose content a secret accepts. Throws `UPLOAD_MISSING` for one that accepts no upload. */
  async find(secret: string): Promise<AnnouncedFile> {
    const upload = await this.#addresses.find(hashOf(secret));
    if (!upload) throw uploadMissing();
    return upload;
  }

  /** Redeems a secret for an upload that began at a time. Throws `UPLOAD_MISSING`. */
  async redeem(secret: string, since: Date): Promise<void> {
    if (!(await this.#addresses.take(hashOf(secret), since.toISOString()))) throw uploadMissing();
  }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** A file whose content was announced. Throws `UPLOAD_MISSING` once it is deleted. */
export async function announcedFile(records: FileRecords, id: string): Promise<FileRecord> {
  const record = await records.find(id);
  // The id of a deleted file may be the key of another.
  if (record?.id !== id) throw uploadMissing();
  return record;
}

/** The error for an address that accepts no upload. */
export function uploadMissing(): WaymarkError {
  const message =
    'This address accepts no upload: it is unknown, was used, is more than 15 minutes old, or its file was deleted. ' +
    'Upsert the file again.';
  return new WaymarkError('UPLOAD_MISSING', message);
}
