import { excessOfTags } from '../../domain/description.js';
import { excessOf } from '../../domain/excess.js';
import { LIMITS } from '../../domain/limits.js';
import { z } from '../../domain/zod.js';
import { within } from './within.js';

/** A file's key. UTF-8 cannot represent a lone surrogate: SQLite would return a key that differs from the given one. */
export const keySchema = z
  .string()
  .regex(new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${LIMITS.key.value}}$`, 'u'))
  .describe(`a string of 1 to ${LIMITS.key.value} characters without control characters and lone surrogates`);

/** A string that is stored as it is: SQLite ends texts at NUL in its JSON, and UTF-8 has no lone surrogates. */
export const storableSchema = z.string().refine((text) => /^[^\0\p{Cs}]*$/u.test(text));

const WITHOUT = 'without NUL and lone surrogates';

/** A text where the name of a tag is expected. */
export const tagTextSchema = within(storableSchema, ({ length }) => excessOf(LIMITS.tagName, length));

/** The name of a tag. */
export const tagNameSchema = tagTextSchema.min(1);

/** What the name of a tag must be. */
export const TAG_NAME = `a string of 1 to ${LIMITS.tagName.value} characters ${WITHOUT}`;

/** The value of a tag. */
export const tagValueSchema = within(storableSchema, ({ length }) => excessOf(LIMITS.tagValue, length));

const TAGS = `an object of names to strings of at most ${LIMITS.tagValue.value} characters, ${WITHOUT}`;

/** Tags that must be given. */
export const givenTagsSchema = within(z.record(tagNameSchema, tagValueSchema), excessOfTags).describe(TAGS);

/** A file's tags. */
export const tagsSchema = givenTagsSchema.default({}).describe(TAGS);

/** Tags that may be left as they are. */
export const keptTagsSchema = givenTagsSchema.optional().describe(TAGS);

/** Changes of a file's tags. */
export const tagChangesSchema = z
  .record(tagNameSchema, tagValueSchema.nullable())
  .default({})
  .describe(`${TAGS}, or null to delete`);
