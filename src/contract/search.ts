import { z } from 'zod';
import { LIMITS } from '../domain/limits.js';
import type { TagFilter } from '../domain/tag-filter.js';
import {
  flagSchema,
  type Mode,
  minScoreSchema,
  modeSchema,
  pathsSchema,
  querySchema,
  signalSchema,
  tagFilterSchema,
} from './fields/query.js';
import { validate } from './validate.js';

const LIMIT = LIMITS.searchLimit.value;

const searchSchema = z.object({
  query: querySchema,
  limit: z.int().min(1).max(LIMIT).default(20).describe(`an integer from 1 to ${LIMIT}`),
  tags: tagFilterSchema,
  path: pathsSchema,
  minScore: minScoreSchema,
  mode: modeSchema,
  explain: flagSchema,
});

/** Options of a search for single passages. */
export interface SearchOptions {
  /** The maximum number of hits: 1 to 1,000. Defaults to 20. */
  readonly limit?: number | undefined;
  /** Applied before the best hits are chosen. */
  readonly tags?: TagFilter | undefined;
  /**
   * Only files with this key, in this folder or matching this glob, such as `guides`; of a list, any of them. See
   * docs/library.md. Applied before the best hits are chosen.
   */
  readonly path?: string | readonly string[] | undefined;
  /** Hits with a lower score are left out: 0 to 1. Defaults to 0. */
  readonly minScore?: number | undefined;
  /** Which retrievers rank. Defaults to `hybrid`. */
  readonly mode?: Mode | undefined;
  /** Adds the score breakdown to each hit. Defaults to false. */
  readonly explain?: boolean | undefined;
}

/** Throws `INVALID_ARGUMENT`. */
export function validateSearch(query: string, options: SearchOptions): z.output<typeof searchSchema> {
  return validate(searchSchema, { ...options, query });
}

const searchFilesSchema = z.object({
  path: pathsSchema,
  positions: flagSchema,
  mode: modeSchema,
  minScore: minScoreSchema,
  explain: flagSchema,
  signal: signalSchema,
});

/** Options of `searchFiles` in process, beyond the contract's request. */
export interface SearchFilesOptions {
  /**
   * Only files with this key, in this folder or matching this glob, such as `guides`; of a list, any of them. See
   * docs/library.md. Applied before the best matches are chosen.
   */
  readonly path?: string | readonly string[] | undefined;
  /** Adds the position of each match to its `meta`: offsets, lines, breadcrumb. Defaults to false. */
  readonly positions?: boolean | undefined;
  /** Which retrievers rank. Defaults to `hybrid`. */
  readonly mode?: Mode | undefined;
  /** Matches with a lower score are left out: 0 to 1. Defaults to 0. */
  readonly minScore?: number | undefined;
  /** Adds the score breakdown to `meta`; a consolidated passage has that of its best match. Defaults to false. */
  readonly explain?: boolean | undefined;
  /** Stops the search: it throws `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

/** Throws `INVALID_ARGUMENT`. */
export function validateSearchFilesOptions(options: SearchFilesOptions): z.output<typeof searchFilesSchema> {
  return validate(searchFilesSchema, options);
}

/** The paths of `path` as a list. Throws `INVALID_ARGUMENT`. */
export function validatePath(path: string | readonly string[]): readonly string[] {
  return validate(z.object({ path: pathsSchema }), { path }).path ?? [];
}
