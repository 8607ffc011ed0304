import type { FoundPassage, Mode, SearchEngine, TagFilter } from '../index.js';
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
  readonly mode?: Mode;
  readonly minScore?: number;
  readonly explain?: true;
}

/** Results for a person unless told otherwise: what a screen holds. */
const LIMIT = 5;

/** Rows of a passage, and of one that was asked for with more around it. */
const ROWS = 12;
const MORE_ROWS = 40;

/** `waymark search <query>` */
export async function searchCommand(words: readonly string[], options: SearchCommandOptions): Promise<number> {
  // A second process would be ready when the first is done.
  const engine = await openFor(options, { create: false, processes: 1 });
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
  const { json, tag: tags, limit, contextDepth, consolidate, includeBreadcrumb, withContext } = options;
  const plain = !json && !consolidate && contextDepth === undefined;
  const request = json
    ? { query, limit, contextDepth, consolidate, includeBreadcrumb, withContext, tags }
    : {
        query,
        limit: limit ?? LIMIT,
        contextDepth: contextDepth ?? (plain ? 1 : 0),
        consolidate,
        withContext: plain || withContext,
        tags,
      };
  const { mode, minScore, explain } = options;
  const { passages } = await engine.searchFiles(request, { positions: true, mode, minScore, explain });
  const status = await engine.status();
  if (json) process.stdout.write(`${JSON.stringify({ passages }, null, 2)}\n`);
  if (status.files === 0) {
    process.stderr.write(`Bot "${status.bot.name}" has no files yet: index some with: waymark index <folder>\n`);
    return NOT_INDEXED;
  }
  if (status.embedded < status.passages) {
    const share = Math.floor((100 * status.embedded) / status.passages);
    process.stderr.write(`Only ${share} % of the passages are embedded yet: go on with: waymark index <folder>\n`);
  }
  if (passages.length === 0) {
    process.stderr.write('Nothing found.\n');
    return NONE;
  }
  if (json) return RESULTS;
  const shown = passages.map(async (found) => {
    const passage = plain ? matchOf(found) : found;
    const highlight = await engine.highlight(query, passage.content);
    return show(passage, { highlight, status, rows: plain ? ROWS : MORE_ROWS });
  });
  process.stdout.write(`${(await Promise.all(shown)).join('\n\n')}\n`);
  return RESULTS;
}

/** What matched, without its neighbours; a heading that nothing stands under, with the passage that follows it. */
function matchOf(found: FoundPassage): FoundPassage {
  const { content, context = [], meta } = found;
  const match = context.find(({ type }) => type === 'current')?.text ?? content;
  if (meta.subtype !== 'title' && meta.subtype !== 'subtitle') return { ...found, content: match };
  const before = context.find(({ type }) => type === 'preceding')?.text.length ?? 0;
  const withNext = content.slice(content.indexOf(match, before));
  const endLine = (meta.startLine ?? 1) + (withNext.match(/\r\n|\n|\r/g)?.length ?? 0);
  return { ...found, content: withNext, meta: { ...meta, endLine } };
}
