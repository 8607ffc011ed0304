import { z } from 'zod';
import type { TagFilter } from '../domain/tag-filter.js';
import { flag, type Mode, minScoreSchema, modeSchema, querySchema, tagFilterSchema } from './search-files.js';
import { validate } from './validate.js';

/** Greatest `limit` of a passage search. */
const MAX_LIMIT = 1000;

const schema = z.object({
  query: querySchema,
  limit: z.int().min(1).max(MAX_LIMIT).default(20).describe(`an integer from 1 to ${MAX_LIMIT}`),
  tags: tagFilterSchema,
  minScore: minScoreSchema,
  mode: modeSchema,
  explain: flag,
});

export interface SearchOptions {
  /** Hits at most: 1 to 1,000, 20 unless given. */
  readonly limit?: number | undefined;
  /** Applied before the best are chosen. */
  readonly tags?: TagFilter | undefined;
  /** Hits with a lower score are left out: 0 to 1. */
  readonly minScore?: number | undefined;
  /** Which sides rank; `hybrid` unless given. */
  readonly mode?: Mode | undefined;
  /** Whether each hit says how its score came about; false unless given. */
  readonly explain?: boolean | undefined;
}

/** Throws `INVALID_ARGUMENT`. */
export function validateSearch(query: string, options: SearchOptions): z.output<typeof schema> {
  return validate(schema, { ...options, query });
}
