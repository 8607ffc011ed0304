import { CommanderError } from 'commander';
import { WaymarkError, type WaymarkErrorCode } from '../index.js';

export const RESULTS = 0;
export const NONE = 1;
export const USAGE = 2;
export const NOT_INDEXED = 3;
export const FAILURE = 4;

const OF_CODE: Partial<Record<WaymarkErrorCode, number>> = {
  INVALID_ARGUMENT: USAGE,
  FOLDER_MISSING: USAGE,
  BOT_MISSING: USAGE,
  BOT_EXISTS: USAGE,
  WORKSPACE_MISSING: USAGE,
  WORKSPACE_EXISTS: USAGE,
  TOKEN_MISSING: USAGE,
  MODEL_MISSING: USAGE,
  MODEL_MISMATCH: USAGE,
  INDEX_MISSING: NOT_INDEXED,
};

/** The exit code that a failed command ends with. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? RESULTS : USAGE;
  return (error instanceof WaymarkError && OF_CODE[error.code]) || FAILURE;
}
