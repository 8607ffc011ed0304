import { z } from 'zod';
import { validate } from './validate.js';

/** `admin`: administration and files; `member`: the files of its bots; `search`: searching them. */
export type Role = 'admin' | 'member' | 'search';

export interface Token {
  /** A UUID. */
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly role: Role;
  /** Ids of the bots that it is good for; empty for all of the workspace. */
  readonly bots: readonly string[];
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
  /** ISO 8601. */
  readonly revokedAt?: string;
}

const ofRole = z.object({ role: z.enum(['admin', 'member', 'search']).describe('admin, member or search') });

/** Throws `INVALID_ARGUMENT`. */
export function validateRole(given: Role): Role {
  return validate(ofRole, { role: given }).role;
}
