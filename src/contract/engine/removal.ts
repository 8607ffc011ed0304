import { z } from '../../domain/zod.js';
import { keySchema } from '../fields/file-fields.js';
import { validate } from '../validate.js';

const removalSchema = z.object({
  key: keySchema,
  only: z
    .object({ id: z.string().min(1), version: z.int().optional() })
    .optional()
    .describe('an object with the id of the file and, if it must be in that state, its version'),
});

/** The key of a file that is to be removed, and which file it must be. Throws `INVALID_ARGUMENT`. */
export function validateRemoval(key: string, { only }: { readonly only?: unknown }): z.output<typeof removalSchema> {
  return validate(removalSchema, { key, only });
}
