import { z } from '../domain/zod.js';
import { ROLES, type Role } from '../storage/accounts.js';
import { oneOf } from './fields/field.js';
import { FUTURE_TIME, futureTimeSchema } from './fields/time.js';
import { plainOptions, validate } from './validate.js';

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

const grantSchema = z.object({
  role: z.enum(ROLES).describe(oneOf(ROLES)),
  bots: z.array(z.string()).default([]).describe('a list of bots'),
  expiresAt: futureTimeSchema.optional().describe(FUTURE_TIME),
});

/** What a token is given: its role, its bots, its end. Throws `INVALID_ARGUMENT`. */
export function validateGrant(given: {
  readonly role: Role;
  readonly bots?: readonly string[];
  readonly expiresAt?: string;
}): z.output<typeof grantSchema> {
  return validate(grantSchema, plainOptions(given));
}
