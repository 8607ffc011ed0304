import { z } from 'zod';
import { signalSchema } from '../contract/fields/query.js';
import { validate } from '../contract/validate.js';

/** Options of a call, beside the operation's request. */
export interface CallOptions {
  /** Stops the call, including waits and retries: it throws `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

const schema = z.object({ signal: signalSchema });

/** Throws `INVALID_ARGUMENT`. */
export function validateCallOptions(options: CallOptions): CallOptions {
  return validate(schema, options);
}
