import {
  MAX_LIMIT,
  type SearchFilesOptions,
  type SearchFilesRequest,
  type SearchFilesResponse,
  validateOptions,
  validateSearchFiles,
} from '../contract/search-files.js';
import type { CandidateOptions } from './candidates.js';
import { consolidate } from './consolidate.js';
import { expand } from './expand.js';
import { search } from './search.js';

/** The contract's searchFiles. Throws `INVALID_ARGUMENT`. */
export async function searchFiles(
  request: SearchFilesRequest,
  { store, embedder, scale, ...options }: SearchFilesOptions & Pick<CandidateOptions, 'store' | 'embedder' | 'scale'>,
): Promise<SearchFilesResponse> {
  const { query, tags, limit, ...how } = validateSearchFiles(request);
  const { positions, ...ranking } = validateOptions(options);
  const asked = how.consolidate ? MAX_LIMIT : limit;
  const hits = await search(query, { store, embedder, scale, ...ranking, tags, limit: asked });
  const passages = how.consolidate
    ? await consolidate(hits, { store, limit, positions, contextDepth: how.contextDepth })
    : await expand(hits, { store, positions, ...how });
  return { passages };
}
