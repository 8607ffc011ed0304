import { reasonOf } from './errors.js';

/** What to do if the system denies access to a file. */
export const CHECK_PERMISSIONS = 'check its permissions and those of the folders above it';

/** Whether the system has denied access to a file. */
export function isDenied(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}

/** Why a file or folder could not be read, for a list that names it. */
export function readFailure(error: unknown): string {
  if (!isDenied(error)) return reasonOf(error);
  return `it may not be read (${(error as NodeJS.ErrnoException).code}): ${CHECK_PERMISSIONS}`;
}
