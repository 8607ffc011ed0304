import type { FoundPassage, SearchEngine, SearchFilesRequest, TagFilter } from '../index.js';
import { NONE, NOT_INDEXED, RESULTS } from './exit-code.js';
import { type IndexOptions, openFor } from './options.js';
import { show } from './show.js';

export interface SearchCommandOptions extends IndexOptions {
  readonly limit?: number;
  readonly contextDepth?: number;
  readonly consolidate?: true;
  readonly includeBreadcrumb?: true;
  readonly withContext?: true;
  readonly tag?: TagFilter;
}

/** Results printed unless told otherwise: what a screen holds. */
const LIMIT = 5;

/** `waymark search <query>` */
export async function searchCommand(words: readonly string[], options: SearchCommandOptions): Promise<number> {
  const engine = await openFor(options, { create: false });
  try {
    return await searchAndShow(engine, words.join(' '), options);
  } finally {
    await engine.close();
  }
}

export async function searchAndShow(
  engine: SearchEngine,
  query: string,
  options: SearchCommandOptions,
): Promise<number> {
  const { json, tag: tags, contextDepth, consolidate, includeBreadcrumb, withContext } = options;
  const request: SearchFilesRequest = {
    query,
    limit: options.limit ?? LIMIT,
    // A person sees the passage that matched; a program gets what the contract says.
    contextDepth: contextDepth ?? (json ? undefined : 0),
    consolidate,
    // A person sees the breadcrumb on a line of its own.
    includeBreadcrumb: json && includeBreadcrumb,
    withContext,
    tags,
  };
  const { passages } = await engine.searchFiles(request, { positions: true });
  const status = await engine.status();
  if (json) process.stdout.write(`${JSON.stringify({ passages }, null, 2)}\n`);
  if (status.files === 0) {
    process.stderr.write(`Bot "${status.bot.name}" has no files yet. Index some with: waymark index <folder>\n`);
    return NOT_INDEXED;
  }
  if (status.embedded < status.passages) {
    const share = Math.floor((100 * status.embedded) / status.passages);
    process.stderr.write(`${share} % of the passages are embedded so far: go on with waymark index.\n`);
  }
  if (passages.length === 0) {
    process.stderr.write('Nothing found.\n');
    return NONE;
  }
  if (!json) await showAll(passages, { engine, query });
  return RESULTS;
}

async function showAll(passages: readonly FoundPassage[], { engine, query }: { engine: SearchEngine; query: string }) {
  const status = await engine.status();
  const highlights = await Promise.all(passages.map(({ content }) => engine.highlight(query, content)));
  const shown = passages.map((passage, i) => show(passage, { highlight: highlights[i], status }));
  process.stdout.write(`${shown.join('\n\n')}\n`);
}
