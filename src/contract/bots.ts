import { z } from 'zod';
import { validate } from './validate.js';

/** Owns files; one database holds many. */
export interface Bot {
  /** A UUID. */
  readonly id: string;
  readonly name: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
  /** ISO 8601: when its files were last indexed completely; missing before the first time. */
  readonly deployedAt?: string;
}

const name = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u)
  .describe('1 to 100 letters, digits, spaces, dots, dashes or underscores, a letter or digit first');

const ofName = z.object({ name });

/** Of a bot, a workspace or a token. Throws `INVALID_ARGUMENT`. */
export function validateName(given: string): string {
  return validate(ofName, { name: given }).name;
}

export const pageSizeSchema = z.int().min(1).max(100).default(20).describe('an integer from 1 to 100');
export const nextTokenSchema = z.string().optional().describe('the nextToken of the page before');
export const sortDirectionSchema = z.enum(['asc', 'desc']).default('desc').describe('asc or desc');

export const listBotsSchema = z.object({
  nextToken: nextTokenSchema,
  pageSize: pageSizeSchema,
  sortField: z.enum(['createdAt', 'updatedAt']).default('createdAt').describe('createdAt or updatedAt'),
  sortDirection: sortDirectionSchema,
  tags: z.record(z.string(), z.string()).default({}).describe('an object of names to texts'),
  dev: z.boolean().optional().describe('true or false'),
});

/** Throws `INVALID_ARGUMENT`. */
export function validateListBots(request: unknown): z.output<typeof listBotsSchema> {
  return validate(listBotsSchema, request);
}

export const idSchema = z.string().min(1).max(1000).describe('an id or name of 1 to 1000 characters');

const ofId = z.object({ id: idSchema });

/** Throws `INVALID_ARGUMENT`. */
export function validateId(id: string): string {
  return validate(ofId, { id }).id;
}
