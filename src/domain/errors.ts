/** Every way in which Waymark fails: the code, and what it means. docs/reference/errors.md derives from it. */
export const ERROR_CODES = {
  INVALID_ARGUMENT: 'An argument is wrong; the message names it, its value and its range.',
  INPUT_TOO_LARGE: 'A text or value is larger than SQLite accepts.',
  RESPONSE_TOO_LARGE: 'The answer would exceed a limit: ask for less.',
  FOLDER_MISSING: 'The folder does not exist or cannot be read, or the bot knows no such folder.',
  FOLDER_EXISTS: 'Another folder of the bot has this name: choose another one.',
  FOLDER_UNWATCHABLE: 'The system refuses to watch a folder.',
  INDEX_MISSING: 'There is no database, or nothing is indexed in it.',
  FILE_MISSING: 'The bot has no such file.',
  FILE_EXISTS: 'The bot has a file with this key.',
  BOT_MISSING: 'There is no such bot.',
  BOT_EXISTS: 'The workspace has a bot with this name.',
  BOT_AMBIGUOUS: 'Bots of several workspaces have this name: pass the id of one.',
  WORKSPACE_MISSING: 'There is no such workspace.',
  WORKSPACE_EXISTS: 'There is a workspace with this name.',
  TOKEN_MISSING: 'There is no such access token.',
  UPLOAD_MISSING: 'There is no such open upload: it was finished, or has expired.',
  KNOWLEDGE_BASE_MISSING: 'The bot has no such knowledge base.',
  DATABASE_DAMAGED: 'A check has found a damaged row or page: run `waymark doctor`.',
  DATABASE_TOO_NEW: 'A newer version of Waymark wrote the database: update.',
  DATABASE_UNWRITABLE: 'Permissions, a disk that fails, or a database file with several names (hard links).',
  DATABASE_CONFLICT: 'The change conflicts with what was stored meanwhile: try again.',
  DATABASE_FAILED: 'SQLite failed on a file in which a check found no damage: try again, then run `waymark doctor`.',
  SQLITE_UNAVAILABLE: 'SQLite cannot be loaded: its package is missing, or was made for another version of Node.js.',
  DATABASE_MOVED:
    'The database or its log was deleted, moved or replaced while open, or changed after being read into memory.',
  DISK_FULL: 'The disk is full; what was stored before is kept.',
  OUT_OF_MEMORY: 'There is not enough memory; what was stored before is kept.',
  BUSY: 'Another process has been writing for ten seconds: try again.',
  CLUSTER_UNAVAILABLE: 'No node of the Weaviate cluster answers, or too few replicas are up.',
  CLUSTER_UNAUTHORIZED: 'The Weaviate cluster does not accept the API key.',
  CLUSTER_INCOMPATIBLE: 'The Weaviate cluster is too old, or another release of Waymark wrote what is in it.',
  CLUSTER_CLIENT_MISSING: 'The package weaviate-client, which a cluster is reached with, is not installed.',
  CLUSTER_FAILED: 'The Weaviate cluster answered with an error: see `cause`.',
  MODEL_MISSING: 'There is no model at this place.',
  MODEL_INVALID: 'The model cannot be used: a file or a field of its card is missing or wrong.',
  MODEL_MISMATCH: 'The files of the bot have embeddings of another model: open it with that one, or re-embed them.',
  TEXT_TOO_LONG: 'A text is longer than the model reads.',
  EMBEDDING_INVALID: 'Your own embedder returned something other than one unit vector of its dimensions for each text.',
  EMBEDDER_FAILED: 'The model could not be run, or your own embedder threw: see `cause`.',
  PARSER_FAILED: 'A parse process failed: see `cause`.',
  PACKAGE_BUNDLED: 'The package was put into a bundle: make it external.',
  VECTOR_INDEX_UNAVAILABLE:
    'The vector index cannot be used: hnswlib-node, WebAssembly with SIMD, memory or temporary space is missing.',
  VECTOR_INDEX_DAMAGED: 'A snapshot of an HNSW index is damaged.',
  ENGINE_CLOSED: 'The engine, the host or the database has been closed.',
  ABORTED: 'Your signal stopped the call, or another process ended its re-embedding.',
  UNAUTHORIZED: 'The service does not accept the token.',
  FORBIDDEN: 'The token does not permit this.',
  RATE_LIMITED: 'There were too many requests, or too many uploads of the bot wait: try again later.',
  SERVER_FAILED: 'The service failed; its log has the cause.',
  CONNECTION_FAILED: 'The service cannot be reached.',
  RESPONSE_INVALID: 'The answer is not that of a Waymark server of this version.',
} as const;

/** The code of an error. Programs may switch over it. */
export type WaymarkErrorCode = keyof typeof ERROR_CODES;

/**
 * The error of every failure. `message` is a sentence for people with the next step, `code` is for programs, `cause` is
 * the error that was caught, if there was one. A call that only a bug can make, such as for the median of no values, is
 * a `RangeError` instead.
 */
export class WaymarkError extends Error {
  /** For programs. */
  readonly code: WaymarkErrorCode;

  constructor(code: WaymarkErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'WaymarkError';
    this.code = code;
  }
}

/** Whether it is a `WaymarkError` with one of these codes: an error of Node.js or SQLite may have an equal `code`. */
export function hasCode(error: unknown, ...codes: readonly WaymarkErrorCode[]): error is WaymarkError {
  return error instanceof WaymarkError && codes.includes(error.code);
}

/** The message of anything that was thrown: the code of a caller or a package may throw what is not an Error. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** What work throws; undefined if it succeeds. */
export function errorOf(work: () => unknown): Error | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** What to do if the system denies access to a file. */
export const CHECK_PERMISSIONS = 'check its permissions and those of the folders above it';

/** Whether the system has denied access to a file. */
export function isDenied(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}

/** Why a file or folder could not be read, for a list that names it. */
export function readFailure(error: unknown): string {
  if (!isDenied(error)) return reasonOf(error);
  return `it cannot be read (${(error as NodeJS.ErrnoException).code}): ${CHECK_PERMISSIONS}`;
}
