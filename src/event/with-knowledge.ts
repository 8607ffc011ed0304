import { z } from 'zod';
import { MAX_LIMIT, minScoreSchema, tagFilterSchema } from '../contract/search-files.js';
import { validate } from '../contract/validate.js';
import type { TagFilter } from '../domain/tag-filter.js';
import { bothFilters } from './both-filters.js';
import { createIncomingEvent } from './create-incoming-event.js';
import type { FileSearch } from './file-search.js';
import { frozenCopy } from './frozen.js';
import type { IncomingEvent } from './incoming-event.js';
import { type KnowledgeBase, knowledgeBaseSchema } from './knowledge.js';
import { queryOf } from './query-of.js';
import { bestResults, type Found, foundResult } from './results.js';

export interface WithKnowledgeOptions {
  /** An engine, or whatever else answers searchFiles. */
  readonly search: FileSearch;
  readonly knowledgeBases: readonly KnowledgeBase[];
  /** Results at most, of all knowledge bases together: 1 to 50, 20 unless given. */
  readonly limit?: number | undefined;
  /** Passages with a lower score are left out: 0 to 1. */
  readonly minScore?: number | undefined;
  /** What files of every knowledge base must pass beside its own filter. */
  readonly tags?: TagFilter | undefined;
  /** Passages before and after each match that become part of its content: 0 to 10, 1 unless given. */
  readonly contextDepth?: number | undefined;
  /** Told of each search that failed, in the order of the knowledge bases; what it throws is thrown. */
  readonly onError: (error: unknown, knowledgeBase: KnowledgeBase) => void | Promise<void>;
}

const schema = z.object({
  search: z
    .custom<FileSearch>((search) => typeof (search as FileSearch | null | undefined)?.searchFiles === 'function')
    .describe('an object that has searchFiles, such as an engine'),
  knowledgeBases: z.array(knowledgeBaseSchema).describe('a list of { name, tags? }'),
  limit: z.int().min(1).max(MAX_LIMIT).default(20).describe(`an integer from 1 to ${MAX_LIMIT}`),
  minScore: minScoreSchema,
  tags: tagFilterSchema,
  contextDepth: z.int().min(0).max(10).optional().describe('an integer from 0 to 10'),
  onError: z
    .custom<WithKnowledgeOptions['onError']>((onError) => typeof onError === 'function')
    .describe('a function that is told of a search that failed'),
});

/**
 * A new event that has in `kb` what knowledge bases answer to its preview, in place of what it had there: in `included`
 * those that could be queried, in `results` their passages, best first. A preview that is too long for a query is cut
 * between words. An outgoing event, one with a blank preview and one for which every search failed come back as they
 * are. Throws `INVALID_ARGUMENT`; a failed search is told to `onError`.
 */
export async function withKnowledge(event: IncomingEvent, options: WithKnowledgeOptions): Promise<IncomingEvent> {
  const { search, limit, minScore, tags = {}, contextDepth, onError, ...rest } = validate(schema, options);
  const knowledgeBases: readonly KnowledgeBase[] = frozenCopy(rest.knowledgeBases, 'knowledgeBases');
  const copy = createIncomingEvent(event);
  const query = queryOf(copy.preview);
  if (copy.direction === 'outgoing' || query === '') return event;

  const ask = async (knowledgeBase: KnowledgeBase): Promise<readonly Found[]> => {
    const filter = bothFilters(knowledgeBase.tags ?? {}, tags);
    if (!filter) return [];
    // The breadcrumb tells the file's title; the context tells which part of the content it is.
    const how = { contextDepth, includeBreadcrumb: true, withContext: true };
    const { passages } = await search.searchFiles({ query, limit, tags: filter, ...how });
    return passages.filter(({ score }) => score >= minScore).map(foundResult);
  };
  const outcomes = await Promise.allSettled(knowledgeBases.map(ask));

  const included: KnowledgeBase[] = [];
  const found: Found[] = [];
  for (const [i, knowledgeBase] of knowledgeBases.entries()) {
    const outcome = outcomes[i];
    if (outcome?.status === 'fulfilled') {
      included.push(knowledgeBase);
      found.push(...outcome.value);
    } else {
      await onError(outcome?.reason, knowledgeBase);
    }
  }
  if (included.length === 0) return event;
  const kb = frozenCopy({ included, results: bestResults(found, limit) }, 'kb');
  return Object.freeze({ ...copy, kb });
}
