import {
  MAX_LIMIT,
  type SearchFilesOptions,
  type SearchFilesRequest,
  type SearchFilesResponse,
  validateOptions,
  validateSearchFiles,
} from '../contract/search-files.js';
import { consolidate } from './consolidate.js';
import { expand } from './expand.js';
import { type SearchParts, search } from './search.js';

/** The contract's searchFiles. Throws `INVALID_ARGUMENT`, `ABORTED`. */
export async function searchFiles(
  request: SearchFilesRequest,
  { store, embedder, scale, onStage, signal, ...options }: SearchFilesOptions & SearchParts,
): Promise<SearchFilesResponse> {
  const { query, tags, limit, consolidate: isConsolidated, contextDepth, ...how } = validateSearchFiles(request);
  const { positions, ...ranking } = validateOptions(options);
  const hits = await search(query, {
    ...{ store, embedder, scale, onStage, signal },
    ...ranking,
    tags,
    limit: isConsolidated ? MAX_LIMIT : limit,
    context: contextDepth,
  });
  const passages = isConsolidated
    ? consolidate(hits, { limit, positions })
    : hits.map((hit) => expand(hit, { ...how, positions }));
  return { passages };
}
