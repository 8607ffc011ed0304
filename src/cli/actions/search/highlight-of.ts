import { type Highlight, type SearchEngine, type SearchFilesRequest, shownText } from '../../../index.js';
import type { Result } from '../../output/results/result.js';

/** The sentence of a result's shown content that matches best. Of a consolidated result, one of its best match. */
export async function highlightOf(
  { file, meta }: Result,
  content: string,
  { engine, request }: { readonly engine: SearchEngine; readonly request: SearchFilesRequest },
): Promise<Highlight | undefined> {
  const { contentType } = file;
  const options = { contentType, isShown: true };
  if (meta.type !== 'consolidated') return engine.highlight(request.query, content, options);
  const { query, tags, mode } = request;
  const { passages } = await engine.searchFiles({ query, tags, mode, path: file.key, limit: 1, contextDepth: 0 });
  const match = await shownText(passages[0]?.content ?? '', { contentType });
  const highlight = await engine.highlight(query, match, options);
  if (!highlight) return undefined;
  const start = content.indexOf(match.slice(highlight.start, highlight.end));
  return start < 0 ? undefined : { start, end: start + highlight.end - highlight.start };
}
