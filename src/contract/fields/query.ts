import { amountOf, type Excess, excessOf } from '../../domain/excess.js';
import { isGlob } from '../../domain/filters/path-filter.js';
import { tagConditionOf } from '../../domain/filters/tag-filter.js';
import { LIMITS } from '../../domain/limits.js';
import { z } from '../../domain/zod.js';
import { oneOf } from './field.js';
import { tagTextSchema, tagValueSchema } from './file-fields.js';
import { within } from './within.js';

/** A query in natural language. */
export const querySchema = z
  .string()
  .min(1)
  .refine((query) => query.trim() !== '' && Buffer.byteLength(query) <= LIMITS.query.value)
  .describe(`a non-empty string of at most ${amountOf(LIMITS.query)}`);

const values = z.union([tagValueSchema, z.array(tagValueSchema)]);

const negatedSchema = z.union([
  values,
  z.strictObject({ in: values.optional(), exists: z.boolean().optional() }).refine(hasOperator),
]);
const operatorsSchema = z
  .strictObject({ in: values.optional(), not: negatedSchema.optional(), exists: z.boolean().optional() })
  .refine(hasOperator);

const CONDITION = 'a value, a list of values, or an object of the operators in, not and exists';

const conditionsSchema = z.record(tagTextSchema, z.union([values, operatorsSchema]).describe(CONDITION));

/** Conditions on tags; see `TagFilter`. */
export const tagFilterSchema = within(conditionsSchema, excessOfFilter)
  .optional()
  .describe(`an object of tag names to ${CONDITION}`);

const pathSchema = within(z.string().min(1), ({ length }) => excessOf(LIMITS.path, length));

/** Files that are searched, by key; see `pathFilter`. */
export const pathsSchema = within(z.union([pathSchema, z.array(pathSchema)]), excessOfPaths)
  .transform((paths) => [paths].flat())
  .optional()
  .describe('a non-empty string that is a file, a folder or a glob, or a list of them');

const MODES = ['hybrid', 'dense', 'lexical'] as const;

/** Which retrievers rank: both, the dense one (meaning), or the lexical one (words). */
export type Mode = (typeof MODES)[number];

/** See `Mode`. */
export const modeSchema = z.enum(MODES).optional().describe(oneOf(MODES));

/** Least score of a hit. */
export const minScoreSchema = z.number().min(0).max(1).optional().describe('a number from 0 to 1');

/** An option that is off by default. */
export const flagSchema = z.boolean().default(false).describe('true or false');

/** An addition to the contract that is off by default: a client does not send it then. */
export const additionSchema = z.boolean().optional().describe('true or false');

/** A function that a call reports to. */
export const callbackSchema = z
  .custom<(...given: never) => unknown>((given) => typeof given === 'function')
  .optional()
  .describe('a function');

function hasOperator(operators: object): boolean {
  return Object.values(operators).some((operand) => operand !== undefined);
}

function excessOfFilter(filter: z.output<typeof conditionsSchema>): Excess | undefined {
  const conditions = Object.values(filter).map(tagConditionOf);
  const values = conditions.reduce((sum, { anyOf, noneOf }) => sum + anyOf.length + noneOf.length, 0);
  return excessOf(LIMITS.filterConditions, conditions.length) ?? excessOf(LIMITS.filterValues, values);
}

function excessOfPaths(paths: string | readonly string[]): Excess | undefined {
  const listed = [paths].flat();
  const globs = listed.filter(isGlob).reduce((sum, { length }) => sum + length, 0);
  return excessOf(LIMITS.paths, listed.length) ?? excessOf(LIMITS.globs, globs);
}
