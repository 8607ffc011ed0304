import type { BotFiles, FoundPassage, SearchFilesRequest } from '../../index.js';
import { type Html, html } from '../html.js';
import { lowScoresNote } from '../low-scores.js';
import { worthShowing } from '../worth-showing.js';
import { explanationTable } from './explanation.js';
import { moreLink } from './neighbours.js';
import { addressOf, filtersOf, type PageRequest, resultIdOf } from './page-request.js';
import { joined, shownMatches, shownPassage, subtypeOf } from './shown-passage.js';

/** Results on a page; a better query serves a reader more than a second page. */
const LIMIT = 10;

/** What a search found, rendered. */
export interface Results {
  readonly passages: readonly Html[];
  /** What to do if there are none. */
  readonly none: string;
  /** Why probably none of them answers, if so. */
  readonly doubt: string | undefined;
  /** Share of the passages that the search by meaning knows, 0 to 1. */
  readonly coverage: number;
}

/** Searches as a page asks. Throws what `searchFiles` throws. */
export async function findResults(
  request: PageRequest,
  { files, signal }: { readonly files: BotFiles; readonly signal: AbortSignal },
): Promise<Results> {
  const { query, consolidate } = request;
  const filters = filtersOf(request);
  const { passages } = await files.searchFiles(
    { ...filters, query, consolidate, limit: LIMIT, contextDepth: 0, positions: true, explain: true },
    { signal },
  );
  const shown: Html[] = [];
  for (const found of worthShowing(passages)) {
    signal.throwIfAborted();
    shown.push(await result(found, { request, files }));
  }
  const none = passages.length === 0 ? await whyNone(filters.path, { files, signal }) : '';
  return { passages: shown, none, doubt: lowScoresNote(passages), coverage: await files.index.coverage() };
}

/** What to do without results. A wrong path needs other advice than words that no file has. */
async function whyNone(
  path: SearchFilesRequest['path'],
  { files, signal }: { readonly files: BotFiles; readonly signal: AbortSignal },
): Promise<string> {
  if (path === undefined || (await files.index.keys(path, { signal })).length > 0) {
    return 'No results. Use other words, or fewer filters.';
  }
  return `No indexed file matches ${JSON.stringify(path)}. Use another path: a file, a folder or a glob such as *.mdx.`;
}

/** The results of a search, or what to do where there are none. */
export function resultsPart({ passages, none, doubt, coverage }: Results): Html {
  const count = passages.length === 1 ? '1 result' : `${passages.length} results`;
  const partial =
    `Only ${Math.floor(100 * coverage)}% of the passages are embedded; the others are found by their words only. ` +
    'Finish with: waymark index';
  return html`<p class="summary">${passages.length === 0 ? none : count}</p>
${coverage < 1 && html`<p class="notice">${partial}</p>`}
${doubt !== undefined && html`<p class="notice">${doubt}</p>`}
${passages}`;
}

/** Why a part of the page is not there. */
export function refusal(message: string): Html {
  return html`<p class="notice" role="alert">${message}</p>`;
}

async function result(
  found: FoundPassage,
  { request, files }: { readonly request: PageRequest; readonly files: BotFiles },
): Promise<Html> {
  const { score, meta, file } = found;
  const { position, startLine, endLine, breadcrumb = [], explanation } = meta;
  const isWhole = meta.type === 'consolidated';
  // A heading with no text of its own is shown with the passage that follows it.
  const last = position + (meta.subtype === 'title' || meta.subtype === 'subtitle' ? 1 : 0);
  // Reads one more, to know whether the link to it is needed.
  const read = isWhole ? [] : await files.index.passagesOf(file.id, { from: position, to: last + 1 });
  const passages = read.filter((passage) => passage.position <= last);
  const text = passages.length > 0 ? joined(passages) : (meta.display ?? found.content);
  const { contentType } = file;
  const subtype = subtypeOf(passages);
  const showing = { index: files.index, contentType, subtype, query: request.query, marksSentence: true };
  const lines = startLine === endLine ? `${startLine}` : `${startLine}–${endLine}`;
  // A file as a whole has its title in its text.
  const heading = isWhole || breadcrumb.length === 0 ? file.key : breadcrumb.join(' › ');
  const address = `${addressOf('/file', request, { id: file.id, at: position })}#passage-${position}`;
  return html`<article class="result">
<header>
<h2 dir="auto"><a id="${resultIdOf({ id: file.id, at: position })}" href="${address}">${heading}</a></h2>
${!isWhole && html`<p class="place"><bdi dir="ltr">${file.key}</bdi>:${lines}</p>`}
${scoreDetails(score, explanation && explanationTable(explanation))}
</header>
${!isWhole && moreLink(request, { id: file.id, at: position - 1, direction: 'before' })}
<div class="passage" dir="auto">${await (isWhole ? shownMatches : shownPassage)(text, showing)}</div>
${read.length > passages.length && moreLink(request, { id: file.id, at: last + 1, direction: 'after' })}
</article>
`;
}

/** The score as a bar that opens its breakdown. */
function scoreDetails(score: number, breakdown: Html | undefined): Html {
  const value = score.toFixed(2);
  return html`<details class="score"><summary>
<svg viewBox="0 0 100 8" role="img" aria-label="Score ${value} of 1">
<rect class="scale" width="100" height="8"/><rect width="${(100 * score).toFixed(1)}" height="8"/></svg>
<span aria-hidden="true">${value}</span></summary>
${breakdown}</details>`;
}
