import { z } from 'zod';
import { validate } from './validate.js';

/** What a token permits. `admin`: all operations; `member`: those on files; `search`: searching and reading files. */
export type Role = 'admin' | 'member' | 'search';

/** An access token of a workspace, without its secret. */
export interface Token {
  /** A UUID. */
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  /** What the token permits. */
  readonly role: Role;
  /** Ids of the bots it grants access to; empty for all bots of the workspace. */
  readonly bots: readonly string[];
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
  /** ISO 8601. */
  readonly revokedAt?: string;
}

const roleSchema = z.object({ role: z.enum(['admin', 'member', 'search']).describe('admin, member or search') });

/** Throws `INVALID_ARGUMENT`. */
export function validateRole(role: Role): Role {
  return validate(roleSchema, { role }).role;
}
