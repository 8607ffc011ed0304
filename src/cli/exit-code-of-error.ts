import type { WaymarkErrorCode } from '../index.js';
import { FAILURE, NO_RESULTS, NOT_INDEXED, USAGE } from './exit-codes.js';

const BY_CODE: Partial<Record<WaymarkErrorCode, number>> = {
  INVALID_ARGUMENT: USAGE,
  FOLDER_MISSING: USAGE,
  FOLDER_EXISTS: USAGE,
  BOT_MISSING: USAGE,
  BOT_EXISTS: USAGE,
  BOT_AMBIGUOUS: USAGE,
  WORKSPACE_MISSING: USAGE,
  WORKSPACE_EXISTS: USAGE,
  TOKEN_MISSING: USAGE,
  MODEL_MISSING: USAGE,
  MODEL_MISMATCH: USAGE,
  FILE_MISSING: NO_RESULTS,
  INDEX_MISSING: NOT_INDEXED,
};

/**
 * The exit code of a command that failed with this error. Does not load the library, which may be what has failed.
 */
export function exitCodeOfError(error: unknown): number {
  const { code } = error as { readonly code?: WaymarkErrorCode };
  return (code !== undefined && BY_CODE[code]) || FAILURE;
}
