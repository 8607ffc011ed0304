import { type Abortable, assertNotAborted } from '../domain/abortable.js';
import { z } from '../domain/zod.js';
import type { Operation, ValidRequestOf } from './operation.js';
import { plainOptions, validate, validateRequest } from './validate.js';

/** A signal that stops a call. */
export const signalSchema = z
  .custom<AbortSignal>((given) => given instanceof AbortSignal)
  .optional()
  .describe('an AbortSignal');

const schema = z.object({ signal: signalSchema });

/** The signal of the options of a call. Throws `INVALID_ARGUMENT`. */
export function validateSignal(options: Abortable): AbortSignal | undefined {
  return validate(schema, plainOptions(options)).signal;
}

/** Checks the request and the options of a call, as `validateRequest`. Throws `INVALID_ARGUMENT`, `ABORTED`. */
export function validateCall<Op extends Operation>(
  operation: Op,
  request: unknown,
  options: Abortable,
): ValidRequestOf<Op> {
  const valid = validateRequest(operation, request);
  assertNotAborted(validateSignal(options));
  return valid;
}
