import type { FileRecord } from '../../storage/file-records.js';

/** Whether a file has expired: it is then absent for every caller, and removed soon. */
export function hasExpired({ expiresAt }: FileRecord): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
}
