import { createHash, randomBytes } from 'node:crypto';
import { WaymarkError } from '../domain/errors.js';
import type { AnnouncedFile, UploadAddresses } from '../storage/file-records.js';
import type { FileVersion } from '../storage/passage-store.js';

/** Milliseconds for which an address accepts an upload. */
const LIFETIME = 15 * 60_000;

/** Secrets of addresses that accept the bytes of a file: 256 random bits, for one upload, stored as a hash. */
export class UploadSecrets {
  readonly #addresses: UploadAddresses;

  constructor(addresses: UploadAddresses) {
    this.#addresses = addresses;
  }

  /** The secret of a new address; it accepts nothing if the file is no longer in the state `over`. */
  async create(over: FileVersion): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    const expiresAt = new Date(Date.now() + LIFETIME).toISOString();
    await this.#addresses.put({ hash: hashOf(secret), over, expiresAt });
    return secret;
  }

  /** The bot whose file a secret accepts. Throws `UPLOAD_MISSING` for one that accepts no upload. */
  async botOf(secret: string): Promise<string> {
    const bot = await this.#addresses.botOf(hashOf(secret));
    if (bot === undefined) throw uploadMissing();
    return bot;
  }

  /** Redeems a secret. Throws `UPLOAD_MISSING`. */
  async redeem(secret: string): Promise<AnnouncedFile> {
    const upload = await this.#addresses.take(hashOf(secret));
    if (!upload) throw uploadMissing();
    return upload;
  }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** The error for an address that accepts no upload. */
export function uploadMissing(): WaymarkError {
  const message =
    'This address accepts no upload: it is unknown, was used, is more than 15 minutes old, or the file has changed ' +
    'since. Upsert the file again.';
  return new WaymarkError('UPLOAD_MISSING', message);
}
