import { z } from '../../domain/zod.js';
import { plainOptions, validate } from '../validate.js';

const position = z.int().min(0).describe('an integer from 0');

const schema = z.object({ fileId: z.string().min(1).describe('the id of a file'), from: position, to: position });

/** Checks which passages of a file are asked for. Throws `INVALID_ARGUMENT`. */
export function validatePassageRange(
  given: string,
  options: { readonly from: number; readonly to: number },
): readonly [fileId: string, range: { readonly from: number; readonly to: number }] {
  const { fileId, from, to } = validate(schema, { ...plainOptions(options), fileId: given });
  return [fileId, { from, to }];
}
