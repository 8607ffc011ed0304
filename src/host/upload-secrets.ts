import { createHash, randomBytes } from 'node:crypto';
import { WaymarkError } from '../domain/errors.js';
import type { UploadAddresses } from '../storage/file-records.js';

/** Milliseconds for which an address accepts an upload. */
const LIFETIME = 15 * 60_000;

/** Secrets of addresses that accept the bytes of a file: 256 random bits, for one upload, stored as a hash. */
export class UploadSecrets {
  readonly #addresses: UploadAddresses;

  constructor(addresses: UploadAddresses) {
    this.#addresses = addresses;
  }

  /** The secret of a new address; earlier ones of the file become invalid. */
  async create(fileId: string): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    const expiresAt = new Date(Date.now() + LIFETIME).toISOString();
    await this.#addresses.put({ hash: hashOf(secret), fileId, expiresAt });
    return secret;
  }

  /** The bot whose file a secret accepts. Throws `UPLOAD_MISSING` for one that accepts no upload. */
  async botOf(secret: string): Promise<string> {
    const bot = await this.#addresses.botOf(hashOf(secret));
    if (bot === undefined) throw missing();
    return bot;
  }

  /** Redeems a secret. Throws `UPLOAD_MISSING`. */
  async redeem(secret: string): Promise<{ fileId: string; botId: string }> {
    const upload = await this.#addresses.take(hashOf(secret));
    if (!upload) throw missing();
    return upload;
  }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function missing(): WaymarkError {
  const message =
    'This address accepts no upload: it is unknown, was used, or is more than 15 minutes old. Upsert the file again.';
  return new WaymarkError('UPLOAD_MISSING', message);
}
