import { z } from 'zod';
import { validate } from '../contract/validate.js';

/** What a caller may give beside an operation's request. */
export interface CallOptions {
  /** Stops the call, its waits and retries included: `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

const schema = z.object({
  signal: z
    .custom<AbortSignal>((given) => given instanceof AbortSignal)
    .optional()
    .describe('an AbortSignal'),
});

/** Throws `INVALID_ARGUMENT`. */
export function validateCallOptions(options: CallOptions): CallOptions {
  return validate(schema, options);
}
