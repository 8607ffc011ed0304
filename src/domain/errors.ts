/** Every way in which Waymark fails. Programs may switch over it. */
export type WaymarkErrorCode =
  | 'INVALID_ARGUMENT'
  | 'FOLDER_MISSING'
  | 'FOLDER_EXISTS'
  | 'FOLDER_UNWATCHABLE'
  | 'INDEX_MISSING'
  | 'FILE_MISSING'
  | 'FILE_EXISTS'
  | 'BOT_MISSING'
  | 'BOT_EXISTS'
  | 'BOT_AMBIGUOUS'
  | 'WORKSPACE_MISSING'
  | 'WORKSPACE_EXISTS'
  | 'TOKEN_MISSING'
  | 'UPLOAD_MISSING'
  | 'KNOWLEDGE_BASE_MISSING'
  | 'DATABASE_DAMAGED'
  | 'DATABASE_TOO_NEW'
  | 'DATABASE_UNWRITABLE'
  | 'DATABASE_CONFLICT'
  | 'DATABASE_FAILED'
  | 'DISK_FULL'
  | 'BUSY'
  | 'DATABASE_MOVED'
  | 'OUT_OF_MEMORY'
  | 'MODEL_MISSING'
  | 'MODEL_INVALID'
  | 'MODEL_MISMATCH'
  | 'TEXT_TOO_LONG'
  | 'EMBEDDING_INVALID'
  | 'EMBEDDER_FAILED'
  | 'PARSER_FAILED'
  | 'VECTOR_INDEX_UNAVAILABLE'
  | 'VECTOR_INDEX_DAMAGED'
  | 'ENGINE_CLOSED'
  | 'ABORTED'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'RATE_LIMITED'
  | 'INPUT_TOO_LARGE'
  | 'RESPONSE_TOO_LARGE'
  | 'SERVER_FAILED'
  | 'CONNECTION_FAILED'
  | 'RESPONSE_INVALID';

/**
 * The only error that Waymark throws. `message` is a sentence for people with the next step, `code` is for programs,
 * and `cause` is the error that was caught, if there was one.
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
