import { createHash, randomBytes } from 'node:crypto';
import { validate } from '../../contract/validate.js';
import { z } from '../../domain/zod.js';
import type { UsedAddress } from '../../storage/contents.js';
import { uploadMissing } from '../../storage/failures.js';
import type { AnnouncedFile, UploadAddress, UploadAddresses } from '../../storage/file-records.js';

/** Milliseconds for which an address accepts an upload. */
const LIFETIME = 15 * 60_000;

const schema = z.object({ secret: z.string().describe('the secret of an upload address') });

/** The secret of a new address: 256 random bits, for one upload, stored as a hash. */
export function newSecret(): { readonly secret: string; readonly address: UploadAddress } {
  const secret = randomBytes(32).toString('base64url');
  const expiresAt = new Date(Date.now() + LIFETIME).toISOString();
  return { secret, address: { hash: hashOf(secret), expiresAt } };
}

/** The address of a secret, for an upload that begins now, and the file that it accepts. Throws `UPLOAD_MISSING`. */
export async function announcedAt(
  secret: string,
  addresses: UploadAddresses,
): Promise<{ readonly address: UsedAddress; readonly announced: AnnouncedFile }> {
  const address = { hash: hashOf(validate(schema, { secret }).secret), since: new Date().toISOString() };
  const announced = await addresses.find(address);
  if (announced) return { address, announced };
  throw uploadMissing();
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
