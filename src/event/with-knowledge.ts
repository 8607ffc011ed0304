import { signalSchema } from '../contract/abortable.js';
import { minScoreSchema, tagFilterSchema } from '../contract/fields/query.js';
import { validate } from '../contract/validate.js';
import { assertNotAborted, untilAborted } from '../domain/abortable.js';
import type { TagFilter } from '../domain/filters/tag-filter.js';
import { LIMITS } from '../domain/limits.js';
import { z } from '../domain/zod.js';
import { createIncomingEvent } from './create-incoming-event.js';
import type { FileSearch } from './file-search.js';
import { frozenCopy } from './frozen-copy.js';
import type { IncomingEvent } from './incoming-event.js';
import { intersectFilters } from './intersect-filters.js';
import { type KnowledgeBase, knowledgeBaseSchema } from './knowledge.js';
import { queryFromText } from './query-from-text.js';
import { mergeResults, type RankedResult, toRankedResult } from './results.js';

/** What to search for an event, and how. */
export interface WithKnowledgeOptions {
  /** An engine, a client, or anything else with `searchFiles`. */
  readonly search: FileSearch;
  /** The knowledge bases to query. */
  readonly knowledgeBases: readonly KnowledgeBase[];
  /** Maximum number of results of all knowledge bases together, 1 to 50. Defaults to 20. */
  readonly limit?: number | undefined;
  /** Results with a lower score are omitted; 0 to 1. Defaults to 0. */
  readonly minScore?: number | undefined;
  /** A filter for the files of every knowledge base, in addition to its own. */
  readonly tags?: TagFilter | undefined;
  /** Number of passages before and after each match that are included in its content, 0 to 10. Defaults to 1. */
  readonly contextDepth?: number | undefined;
  /** Called and awaited for each search that failed, in the order of the knowledge bases. Its errors are rethrown. */
  readonly onError: (error: unknown, knowledgeBase: KnowledgeBase) => void | Promise<void>;
  /** Stops the searches: `withKnowledge` throws `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

const DEPTH = LIMITS.contextDepth.value;

const schema = z.object({
  search: z
    .custom<FileSearch>((search) => typeof (search as FileSearch | null | undefined)?.searchFiles === 'function')
    .describe('an object with a searchFiles method, such as an engine'),
  knowledgeBases: z.array(knowledgeBaseSchema).describe('an array of { name, tags? }'),
  limit: z
    .int()
    .min(1)
    .max(LIMITS.searchFilesLimit.value)
    .default(20)
    .describe(`an integer from 1 to ${LIMITS.searchFilesLimit.value}`),
  minScore: minScoreSchema,
  tags: tagFilterSchema,
  contextDepth: z.int().min(0).max(DEPTH).optional().describe(`an integer from 0 to ${DEPTH}`),
  onError: z
    .custom<WithKnowledgeOptions['onError']>((onError) => typeof onError === 'function')
    .describe('a function that receives the error of a failed search'),
  signal: signalSchema,
});

/**
 * Searches knowledge bases for the preview of an event and returns a copy of the event with a new `kb`: `included`
 * lists the knowledge bases that could be queried, `results` their passages, best first. A preview too long for a query
 * is cut between words. The event itself is returned if it is outgoing, if its preview is blank, or if every search
 * failed. Throws `INVALID_ARGUMENT`, `ABORTED`. A failed search is reported to `onError`; the others continue.
 */
export async function withKnowledge(event: IncomingEvent, options: WithKnowledgeOptions): Promise<IncomingEvent> {
  const { search, limit, minScore = 0, tags = {}, contextDepth, onError, signal, ...rest } = validate(schema, options);
  const knowledgeBases: readonly KnowledgeBase[] = frozenCopy(rest.knowledgeBases, 'knowledgeBases');
  const copy = createIncomingEvent(event);
  const query = queryFromText(copy.preview);
  if (copy.direction === 'outgoing' || query === '') return event;

  const searchIn = async (knowledgeBase: KnowledgeBase): Promise<readonly RankedResult[]> => {
    const filter = intersectFilters(knowledgeBase.tags ?? {}, tags);
    if (!filter) return [];
    // The breadcrumb yields the file's title; the context shows which part of the content the breadcrumb is.
    const display = { contextDepth, includeBreadcrumb: true, withContext: true };
    const { passages } = await search.searchFiles({ query, limit, tags: filter, ...display }, { signal });
    return passages.filter(({ score }) => score >= minScore).map(toRankedResult);
  };
  assertNotAborted(signal);
  const outcomes = await untilAborted(Promise.allSettled(knowledgeBases.map(searchIn)), signal);

  const included: KnowledgeBase[] = [];
  const results: RankedResult[] = [];
  for (const [i, knowledgeBase] of knowledgeBases.entries()) {
    const outcome = outcomes[i];
    if (outcome?.status === 'fulfilled') {
      included.push(knowledgeBase);
      results.push(...outcome.value);
    } else {
      await onError(outcome?.reason, knowledgeBase);
    }
  }
  if (included.length === 0) return event;
  const kb = frozenCopy({ included, results: mergeResults(results, limit) }, 'kb');
  return Object.freeze({ ...copy, kb });
}
