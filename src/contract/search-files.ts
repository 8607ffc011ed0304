import { z } from 'zod';
import { WaymarkError } from '../domain/errors.js';
import type { Explanation, FileSummary, Subtype } from '../domain/passage.js';
import type { TagFilter } from '../domain/tag-filter.js';
import { validate } from './validate.js';

/** Longest query, in bytes of UTF-8. */
export const MAX_QUERY_BYTES = 2048;

/** Greatest `limit` of searchFiles. */
export const MAX_LIMIT = 50;

const values = z.union([z.string(), z.array(z.string())]);

export const tagFilterSchema = z
  .record(z.string(), z.union([values, z.strictObject({ not: values })]))
  .optional()
  .describe('an object of tag names to a value, a list of values, or { not: value or values }');

export const querySchema = z
  .string()
  .refine((query) => query.trim() !== '' && Buffer.byteLength(query) <= MAX_QUERY_BYTES)
  .describe(`a text, not blank, of 1 to ${MAX_QUERY_BYTES} bytes`);

/** Which sides rank: meaning and words, meaning alone, words alone. */
export type Mode = 'hybrid' | 'dense' | 'lexical';

export const modeSchema = z.enum(['hybrid', 'dense', 'lexical']).default('hybrid').describe('hybrid, dense or lexical');

export const minScoreSchema = z.number().min(0).max(1).default(0).describe('a number from 0 to 1');

export const flag = z.boolean().default(false).describe('true or false');

const schema = z.object({
  query: querySchema,
  contextDepth: z.int().min(0).max(10).default(1).describe('an integer from 0 to 10'),
  limit: z.int().min(1).max(MAX_LIMIT).default(20).describe(`an integer from 1 to ${MAX_LIMIT}`),
  consolidate: flag,
  includeBreadcrumb: flag,
  withContext: flag,
  tags: tagFilterSchema,
});

/** A file search; see each field of `SearchFilesRequest` for its range and default. */
export interface SearchFilesRequest {
  /** Natural language, at most 2,048 bytes. */
  readonly query: string;
  /** Passages before and after each match that become part of its content: 0 to 10, 1 unless given. */
  readonly contextDepth?: number | undefined;
  /** Passages, or with `consolidate` files, at most: 1 to 50, 20 unless given. */
  readonly limit?: number | undefined;
  /** One passage a file, its matches in the file's order below their headings. */
  readonly consolidate?: boolean | undefined;
  /** Puts `Title > Subtitle` and a blank line in front of the content; no effect with `consolidate`. */
  readonly includeBreadcrumb?: boolean | undefined;
  /** Fills `context`; an error with `consolidate`. */
  readonly withContext?: boolean | undefined;
  /** Applied before the best are chosen. */
  readonly tags?: TagFilter | undefined;
}

export interface ContextItem {
  /** UUID of the passage; a breadcrumb has none. */
  readonly id?: string;
  readonly text: string;
  /** Passages from the match: negative before it, 0 itself; a breadcrumb has none. */
  readonly offset?: number;
  readonly type: 'preceding' | 'current' | 'subsequent' | 'breadcrumb';
}

/** Where the match stands in its file: not part of the contract, given where it is asked for. */
export interface MatchPosition {
  readonly start: number;
  readonly end: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly breadcrumb: readonly string[];
}

/** What a caller in process may ask for beside the contract's request. */
export interface SearchFilesOptions {
  /** Adds to `meta` where each match stands: offsets, lines, breadcrumb. */
  readonly positions?: boolean | undefined;
  /** Which sides rank; `hybrid` unless given. */
  readonly mode?: Mode | undefined;
  /** Matches with a lower score are left out: 0 to 1. */
  readonly minScore?: number | undefined;
  /** Adds to `meta` how each score came about; of a consolidated passage, its best match's. */
  readonly explain?: boolean | undefined;
  /** Stops the search when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

export interface FoundPassage {
  /** The passage and its neighbours, as far as `contextDepth` reaches. */
  readonly content: string;
  /** 0 to 1, higher is better. */
  readonly score: number;
  readonly meta: {
    readonly type: 'chunk' | 'consolidated';
    readonly subtype?: Subtype;
    readonly position: number;
    readonly pageNumber?: number;
    readonly sourceUrl?: string;
    readonly explanation?: Explanation;
  } & Partial<MatchPosition>;
  readonly file: FileSummary;
  readonly context?: readonly ContextItem[];
}

export interface SearchFilesResponse {
  readonly passages: readonly FoundPassage[];
}

export type ValidSearchFilesRequest = z.output<typeof schema>;

/** Throws `INVALID_ARGUMENT`, naming the parameter, its value and what is allowed. Unknown fields are ignored. */
export function validateSearchFiles(request: unknown): ValidSearchFilesRequest {
  const valid = validate(schema, request);
  if (valid.consolidate && valid.withContext) {
    throw new WaymarkError('INVALID_ARGUMENT', 'withContext is not supported with consolidate: ask for one of them.');
  }
  return valid;
}

const optionsSchema = z.object({ positions: flag, mode: modeSchema, minScore: minScoreSchema, explain: flag });

/** Throws `INVALID_ARGUMENT`. */
export function validateOptions(options: SearchFilesOptions): z.output<typeof optionsSchema> {
  return validate(optionsSchema, options);
}
