import type { FoundPassage, Mode, SearchEngine, SearchFilesRequest, TagFilter } from '../../index.js';
import { NO_RESULTS, NOT_INDEXED, SUCCESS } from '../exit-codes.js';
import { noFiles, noMatchingFiles } from '../output/no-files.js';
import { showPassage } from '../output/passage.js';
import { printJson, say } from '../output/print.js';
import { keysOfPaths } from './keys-of-paths.js';
import { type BotFilesOptions, withEngine } from './open.js';
import { shownContent } from './shown-content.js';

export interface SearchCommandOptions extends BotFilesOptions {
  readonly limit?: number;
  readonly contextDepth?: number;
  readonly consolidate?: true;
  readonly includeBreadcrumb?: true;
  readonly withContext?: true;
  readonly tag?: TagFilter;
  readonly mode?: Mode;
  readonly minScore?: number;
  readonly explain?: true;
  readonly in?: readonly string[];
}

/** Default number of results on a terminal: about a screenful. */
const LIMIT = 5;

/** Maximum rows of a passage, and of one with the context that was asked for. */
const ROWS = 12;
const ROWS_WITH_CONTEXT = 40;

/** `waymark search <query>` */
export function search(words: readonly string[], options: SearchCommandOptions): Promise<number> {
  // One query is embedded: a second process would only be ready once that is done.
  return withEngine(options, { create: false, processes: 1 }, (engine) =>
    searchAndPrint(engine, words.join(' '), options),
  );
}

export async function searchAndPrint(
  engine: SearchEngine,
  query: string,
  options: SearchCommandOptions,
): Promise<number> {
  const { json, mode, minScore, explain, in: places = [] } = options;
  const plain = !json && !options.consolidate && options.contextDepth === undefined;
  const request = requestOf(query, options, { plain });
  const status = await engine.status();
  const path = await keysOfPaths(places, {
    folders: await engine.listFolders(),
    hasTexts: status.folders.some(({ folder }) => folder === null),
    pathOfFile: (key) => engine.pathOfFile(key),
  });
  const { passages } = await engine.searchFiles({ ...request, positions: true, path, mode, minScore, explain });
  if (json) printJson({ passages }, 2);
  if (status.files === 0) {
    say(noFiles(status.bot.name));
    return NOT_INDEXED;
  }
  if (status.embedded < status.passages) {
    const percent = Math.floor((100 * status.embedded) / status.passages);
    say(`Only ${percent}% of the passages are embedded. Finish with: waymark index <folder>`);
  }
  if (passages.length === 0) {
    say(path.length > 0 && (await engine.keys(path)).length === 0 ? noMatchingFiles(places, status) : 'No results.');
    return NO_RESULTS;
  }
  if (json) return SUCCESS;
  const shown = passages.map(async (found) => {
    const passage = plain ? matchOf(found) : found;
    const { contentType } = passage.file;
    const before = options.contextDepth ?? 0;
    const after = plain && isHeading(passage) ? 1 : before;
    const content = await shownContent(passage, { engine, before, after });
    const highlight = await engine.highlight(query, content, { contentType });
    const place = await engine.pathOfFile(passage.file.key);
    return showPassage({ ...passage, content }, { highlight, place, rows: plain ? ROWS : ROWS_WITH_CONTEXT });
  });
  process.stdout.write(`${(await Promise.all(shown)).join('\n\n')}\n`);
  return SUCCESS;
}

/** With JSON the defaults are those of `searchFiles`. A plain search asks for the context in which `matchOf` looks. */
function requestOf(
  query: string,
  options: SearchCommandOptions,
  { plain }: { readonly plain: boolean },
): SearchFilesRequest {
  const { json, tag: tags, limit, contextDepth, consolidate, includeBreadcrumb, withContext } = options;
  if (json) return { query, limit, contextDepth, consolidate, includeBreadcrumb, withContext, tags };
  return {
    query,
    limit: limit ?? LIMIT,
    contextDepth: contextDepth ?? (plain ? 1 : 0),
    consolidate,
    withContext: plain || withContext,
    tags,
  };
}

/** The match without its neighbours; a heading with no text of its own keeps the passage that follows it. */
function matchOf(found: FoundPassage): FoundPassage {
  const { content, context = [], meta } = found;
  const match = context.find(({ type }) => type === 'current')?.text ?? content;
  if (!isHeading(found)) return { ...found, content: match };
  const before = context.find(({ type }) => type === 'preceding')?.text.length ?? 0;
  const withNext = content.slice(content.indexOf(match, before));
  const endLine = (meta.startLine ?? 1) + (withNext.match(/\r\n|\n|\r/g)?.length ?? 0);
  return { ...found, content: withNext, meta: { ...meta, endLine } };
}

function isHeading({ meta: { subtype } }: FoundPassage): boolean {
  return subtype === 'title' || subtype === 'subtitle';
}
