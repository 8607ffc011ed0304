import {
  type FoundPassage,
  searchFiles as operation,
  type SearchFilesRequest,
  type SearchFilesResponse,
} from '../contract/operations/search.js';
import { validateRequest } from '../contract/validate.js';
import { type Abortable, assertNotAborted } from '../domain/abortable.js';
import { AnswerSize } from '../domain/answer-size.js';
import { LIMITS } from '../domain/limits.js';
import type { Embedder } from '../embed/embedder.js';
import { consolidate } from './consolidate.js';
import { bestSentence } from './display/highlight.js';
import { expand } from './expand.js';
import { type SearchParts, search } from './search.js';

/** The contract's searchFiles. Throws `INVALID_ARGUMENT`, `RESPONSE_TOO_LARGE`, `ABORTED`. */
export async function searchFiles(
  request: SearchFilesRequest,
  { signal, ...parts }: SearchParts & Abortable & { readonly embedder: Embedder },
): Promise<SearchFilesResponse> {
  const { query, limit, consolidate: isConsolidated, contextDepth, ...how } = validateRequest(operation, request);
  const { tags, path, mode, minScore, explain, perFile, positions = false } = how;
  const hits = await search(query, {
    ...parts,
    ...{ tags, path, mode, minScore, explain, perFile, signal },
    limit: isConsolidated ? LIMITS.searchFilesLimit.value : limit,
    context: contextDepth,
  });
  const found = isConsolidated
    ? consolidate(hits, { limit, positions })
    : hits.map((hit) => expand(hit, { ...how, positions }));
  const passages: FoundPassage[] = [];
  const size = new AnswerSize('lower limit or contextDepth');
  for (const passage of found) {
    size.addPassage(passage.file, passage.content, ...(passage.context ?? []).map(({ text }) => text));
    passages.push(passage);
  }
  return {
    passages: how.highlight ? await highlighted(passages, { query, signal, embedder: parts.embedder }) : passages,
  };
}

/** Adds the range of the best sentence to each passage, one after the other: other searches go on between them. */
async function highlighted(
  passages: readonly FoundPassage[],
  { query, signal, embedder }: { query: string; signal: AbortSignal | undefined; embedder: Embedder },
): Promise<FoundPassage[]> {
  const marked: FoundPassage[] = [];
  for (const passage of passages) {
    assertNotAborted(signal);
    const { content, file, meta } = passage;
    const options = { contentType: file.contentType };
    const highlight = await bestSentence({ query, text: content }, { options, embedder, signal });
    marked.push(highlight ? { ...passage, meta: { ...meta, highlight } } : passage);
  }
  return marked;
}
