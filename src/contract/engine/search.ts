import type { Abortable } from '../../domain/abortable.js';
import type { TagFilter } from '../../domain/filters/tag-filter.js';
import { LIMITS } from '../../domain/limits.js';
import { z } from '../../domain/zod.js';
import type { Retrieval } from '../../storage/retrieval.js';
import {
  additionSchema,
  type Mode,
  minScoreSchema,
  modeSchema,
  pathsSchema,
  querySchema,
  tagFilterSchema,
} from '../fields/query.js';
import { plainOptions, validate } from '../validate.js';

const LIMIT = LIMITS.searchLimit.value;

const searchSchema = z.object({
  query: querySchema,
  limit: z.int().min(1).max(LIMIT).default(20).describe(`an integer from 1 to ${LIMIT}`),
  tags: tagFilterSchema,
  path: pathsSchema,
  minScore: minScoreSchema,
  mode: modeSchema,
  explain: additionSchema,
});

/** Options of a search for single passages. */
export interface SearchOptions extends Abortable {
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
  return validate(searchSchema, { ...plainOptions(options), query });
}

const similarSchema = searchSchema
  .pick({ limit: true, tags: true, path: true, minScore: true })
  .extend({ passageId: z.string().min(1).describe('the id of a passage') });

/** Options of `embeddedPassages`. */
export interface EmbeddedPassagesOptions extends Pick<SearchOptions, 'tags' | 'path' | 'signal'> {
  /** The maximum number of passages: 1 to 100,000. Defaults to 10,000. */
  readonly limit?: number | undefined;
}

const EMBEDDED = LIMITS.embedded.value;

const embeddedPassagesSchema = z.object({
  limit: z.int().min(1).max(EMBEDDED).default(10_000).describe(`an integer from 1 to ${EMBEDDED}`),
  tags: tagFilterSchema,
  path: pathsSchema,
});

/** Throws `INVALID_ARGUMENT`. */
export function validateEmbeddedPassages(
  options: EmbeddedPassagesOptions,
): Pick<Retrieval, 'tags' | 'paths' | 'limit'> {
  const { path, ...valid } = validate(embeddedPassagesSchema, plainOptions(options));
  return { ...valid, paths: path };
}

/** Options of `similar`. */
export type SimilarOptions = Pick<SearchOptions, 'limit' | 'tags' | 'path' | 'minScore' | 'signal'>;

/** Throws `INVALID_ARGUMENT`. */
export function validateSimilar(passageId: string, options: SimilarOptions): z.output<typeof similarSchema> {
  return validate(similarSchema, { ...plainOptions(options), passageId });
}

/** The paths of `path` as a list. Throws `INVALID_ARGUMENT`. */
export function validatePath(path: string | readonly string[]): readonly string[] {
  return validate(z.object({ path: pathsSchema }), { path }).path ?? [];
}
