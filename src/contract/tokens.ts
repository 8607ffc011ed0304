import type { WaymarkError } from '../domain/errors.js';
import { z } from '../domain/zod.js';
import { ROLES, type Role } from '../storage/accounts.js';
import { oneOf } from './fields/field.js';
import { callbackSchema } from './fields/query.js';
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

/** Options of `listTokens`. */
export interface ListTokensOptions {
  /**
   * Called for each token that is damaged in the database, with an error that says which one it is and what to do: the
   * others are returned. Without it, that error is thrown.
   */
  readonly onDamaged?: ((error: WaymarkError) => void) | undefined;
}

const listSchema = z.object({ onDamaged: callbackSchema });

/** Throws `INVALID_ARGUMENT`. */
export function validateListTokens(given: ListTokensOptions): ListTokensOptions {
  return validate(listSchema, plainOptions(given)) as ListTokensOptions;
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
