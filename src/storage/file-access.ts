/** All access policies: who may read the content of a file without a token. */
export const ACCESS_POLICIES = ['public_content', 'integrations'] as const;

/** Permits reading the content of a file without a token. */
export type AccessPolicy = (typeof ACCESS_POLICIES)[number];

/** Who may read a file without a token, and until when it is there. */
export interface FileAccess {
  readonly accessPolicies: readonly AccessPolicy[];
  /** ISO 8601; undefined for a file that does not expire. */
  readonly expiresAt: string | undefined;
}
