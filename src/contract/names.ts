import { LIMITS } from '../domain/limits.js';
import { z } from '../domain/zod.js';
import { plainOptions, validate } from './validate.js';

const MOST = LIMITS.name.value;

const RULE = `1 to ${MOST} letters, digits, spaces, dots, dashes or underscores, starting with a letter or digit`;

/** The name of a bot, a workspace or a token. Marks are parts of letters: vowels in Hindi, accents on macOS. */
export const nameSchema = z
  .string()
  .regex(new RegExp(`^[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N} ._-]{0,${MOST - 1}}$`, 'u'))
  .describe(RULE);

const named = z.object({ name: nameSchema });

/** Checks the name of a workspace or a token. Throws `INVALID_ARGUMENT`. */
export function validateName(name: string): string {
  return validate(named, { name }).name;
}

/** The id of a file or bot, or its key or name. */
export const idSchema = z
  .string()
  .min(1)
  .max(LIMITS.id.value)
  .describe(`an id or name of 1 to ${LIMITS.id.value} characters`);

const identified = z.object({ id: idSchema });

const within = z.object({ workspace: idSchema.optional() });

/** Checks an id or name. Throws `INVALID_ARGUMENT`. */
export function validateId(id: string): string {
  return validate(identified, { id }).id;
}

/** The id of the workspace that the options of a call name, if any. Throws `INVALID_ARGUMENT`. */
export function validateWorkspace(options: { readonly workspace?: string }): string | undefined {
  return validate(within, plainOptions(options)).workspace;
}

const limited = z.object({ bots: z.array(idSchema).default([]).describe('a list of ids of bots') });

/** The bots that the options of a call name. Throws `INVALID_ARGUMENT`. */
export function validateBots(options: { readonly bots?: readonly string[] }): readonly string[] {
  return validate(limited, plainOptions(options)).bots;
}
