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
import { beginningOf } from './display/beginning.js';
import { bestSentence, MAX_SENTENCES } from './display/highlight.js';
import { expand } from './expand.js';
import { matchIn } from './match-in.js';
import { type HitInContext, type SearchParts, search } from './search.js';

/** The contract's searchFiles. Throws `INVALID_ARGUMENT`, `RESPONSE_TOO_LARGE`, `ABORTED`. */
export async function searchFiles(
  request: SearchFilesRequest,
  { signal, ...parts }: SearchParts & Abortable & { readonly embedder: Embedder },
): Promise<SearchFilesResponse> {
  const valid = validateRequest(operation, request);
  const { query, limit, consolidate: isConsolidated, positions = false } = valid;
  const hits = await search(query, {
    ...parts,
    tags: valid.tags,
    path: valid.path,
    mode: valid.mode,
    limit: isConsolidated ? LIMITS.searchFilesLimit.value : limit,
    perFile: valid.perFile,
    minScore: valid.minScore,
    explain: valid.explain,
    context: valid.contextDepth,
    signal,
  });
  const found = isConsolidated
    ? consolidate(hits, { limit, positions })
    : hits.map((hit) => expand(hit, { ...valid, positions }));
  const passages: FoundPassage[] = [];
  const size = new AnswerSize('lower limit or contextDepth');
  for (const passage of found) {
    size.addPassage(passage.file, passage.content, ...(passage.context ?? []).map(({ text }) => text));
    passages.push(passage);
  }
  if (!valid.highlight) return { passages };
  return { passages: await highlighted(passages, { query, hits, signal, embedder: parts.embedder }) };
}

/** Adds the range of the best sentence to each passage, one after the other, so that other searches run in between. */
async function highlighted(
  passages: readonly FoundPassage[],
  {
    query,
    hits,
    signal,
    embedder,
  }: { query: string; hits: readonly HitInContext[]; signal: AbortSignal | undefined; embedder: Embedder },
): Promise<FoundPassage[]> {
  const marked: FoundPassage[] = [];
  const maxSentences = Math.min(MAX_SENTENCES, Math.floor(LIMITS.highlighted.value / passages.length));
  for (const [i, passage] of passages.entries()) {
    assertNotAborted(signal);
    const { content, file, meta } = passage;
    const hit = meta.type === 'consolidated' ? hits.find((each) => each.file.id === file.id) : hits[i];
    const from = hit ? readFrom(passage, hit) : 0;
    const options = { contentType: file.contentType };
    const found = await bestSentence({ query, text: content.slice(from) }, { options, embedder, signal, maxSentences });
    const highlight = found && { start: from + found.start, end: from + found.end };
    marked.push(highlight ? { ...passage, meta: { ...meta, highlight } } : passage);
  }
  return marked;
}

/**
 * Where the text that the best sentence is chosen from begins: the text of the file, or the match if that is not within
 * the beginning that is read.
 */
function readFrom(passage: FoundPassage, hit: HitInContext): number {
  const { text, start, end } = matchIn(passage, hit);
  return end > text + beginningOf(passage.content.slice(text)).length ? start : text;
}
