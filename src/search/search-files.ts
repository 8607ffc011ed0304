import {
  searchFiles as operation,
  type SearchFilesRequest,
  type SearchFilesResponse,
} from '../contract/operations/search.js';
import { type SearchFilesOptions, validateSearchFilesOptions } from '../contract/search.js';
import { validateRequest } from '../contract/validate.js';
import { AnswerSize } from '../domain/answer-size.js';
import { LIMITS } from '../domain/limits.js';
import { consolidate } from './consolidate.js';
import { expand } from './expand.js';
import { type SearchParts, search } from './search.js';

/** The contract's searchFiles. Throws `INVALID_ARGUMENT`, `RESPONSE_TOO_LARGE`, `ABORTED`. */
export async function searchFiles(
  request: SearchFilesRequest,
  { store, embedder, scale, onStage, ...options }: SearchFilesOptions & SearchParts,
): Promise<SearchFilesResponse> {
  const { query, tags, limit, consolidate: isConsolidated, contextDepth, ...how } = validateRequest(operation, request);
  const { positions, ...ranking } = validateSearchFilesOptions(options);
  const hits = await search(query, {
    ...{ store, embedder, scale, onStage },
    ...ranking,
    tags,
    limit: isConsolidated ? LIMITS.searchFilesLimit.value : limit,
    context: contextDepth,
  });
  const passages = isConsolidated
    ? consolidate(hits, { limit, positions })
    : hits.map((hit) => expand(hit, { ...how, positions }));
  const size = new AnswerSize('lower limit or contextDepth');
  return {
    passages: passages.map((passage) => {
      size.addPassage(passage.file, passage.content, ...(passage.context ?? []).map(({ text }) => text));
      return passage;
    }),
  };
}
