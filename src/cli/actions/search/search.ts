import { worthShowing } from '../../../http/worth-showing.js';
import { type Mode, type SearchEngine, type SearchFilesRequest, tagFilterOf, WaymarkError } from '../../../index.js';
import { NO_RESULTS, NOT_INDEXED, SUCCESS } from '../../exit-codes.js';
import { printMessage } from '../../output/print.js';
import { commandFor } from '../../storage-place.js';
import { withFolders } from '../folders/declare.js';
import { updateFolders } from '../index-folder.js';
import { type BotFilesOptions, withEngine } from '../open.js';
import { type FindOptions, find, grouped } from './find.js';
import { openResult } from './open-result.js';
import { pick } from './pick.js';
import { type Format, printResults } from './print-results.js';

export interface SearchCommandOptions extends BotFilesOptions {
  readonly format?: Format;
  readonly limit?: number;
  readonly perFile?: number;
  readonly group?: true;
  readonly contextDepth?: number;
  readonly consolidate?: true;
  readonly includeBreadcrumb?: true;
  readonly withContext?: true;
  readonly tag?: readonly string[];
  readonly mode?: Mode;
  readonly minScore?: number;
  readonly explain?: true;
  readonly highlight?: true;
  readonly in?: readonly string[];
  readonly open?: true;
  readonly interactive?: true;
  readonly refresh?: boolean;
}

/** Default number of results on a terminal: about a screenful. */
const LIMIT = 5;

/** Default number of results to choose from. */
const PICKED = 20;

/** Formats that people read. */
const FOR_PEOPLE: readonly Format[] = ['text', 'markdown'];

/** Options that change what is printed of results, and nothing else. */
const PRINTED: readonly (keyof SearchCommandOptions)[] = [
  'format',
  'group',
  'contextDepth',
  'explain',
  'consolidate',
  'includeBreadcrumb',
  'withContext',
  'highlight',
];

/** `waymark search [query]` */
export async function search(words: readonly string[], options: SearchCommandOptions): Promise<number> {
  const query = words.join(' ');
  if (words.length === 0 && !options.interactive) {
    throw new WaymarkError('INVALID_ARGUMENT', 'No question given. Pass one, as in: waymark search "how do I …?"');
  }
  const opens = options.open || options.interactive;
  const unused = opens ? PRINTED.find((name) => options[name] !== undefined) : undefined;
  if (unused !== undefined) {
    const message = `${unused} is for results that are printed: leave it out with --open and --interactive.`;
    throw new WaymarkError('INVALID_ARGUMENT', message);
  }
  const ask = (engine: SearchEngine) =>
    opens ? searchAndOpen(engine, query, options) : searchAndPrint(engine, query, options);
  // One query is embedded: a second process would only be ready once that is done.
  if (!options.refresh) return withEngine(options, { create: false, processes: 1 }, ask);
  return withFolders(options, { create: false }, async (engine) => {
    await updateFolders(engine, options);
    return ask(engine);
  });
}

/** Opens the best result, or the one that a person chooses. */
async function searchAndOpen(engine: SearchEngine, query: string, options: SearchCommandOptions): Promise<number> {
  const { interactive, in: places } = options;
  const request = { ...requestOf(query, { ...options, format: 'vimgrep' }), highlight: !interactive };
  if (interactive) {
    const chosen = await pick(engine, {
      request: { ...request, limit: options.limit ?? PICKED },
      botPlace: options,
      places,
    });
    if (chosen) await openResult(chosen, engine);
    return chosen ? SUCCESS : NO_RESULTS;
  }
  const { results, notes, isIndexed } = await find(engine, { ...request, limit: 1 }, findOptionsOf(options));
  for (const note of notes) printMessage(note);
  const [best] = results;
  if (best) await openResult(best, engine);
  if (!isIndexed) return NOT_INDEXED;
  return best ? SUCCESS : NO_RESULTS;
}

export async function searchAndPrint(
  engine: SearchEngine,
  query: string,
  options: SearchCommandOptions,
): Promise<number> {
  const { format = 'text', group } = options;
  const request = requestOf(query, options);
  const { results, notes, isIndexed } = await find(engine, request, findOptionsOf(options));
  const shown = FOR_PEOPLE.includes(format) ? worthShowing(results, request) : results;
  await printResults(group ? grouped(shown) : shown, { format, engine, request });
  for (const note of notes) printMessage(note);
  if (!isIndexed) return NOT_INDEXED;
  return results.length > 0 ? SUCCESS : NO_RESULTS;
}

function findOptionsOf(options: SearchCommandOptions): FindOptions {
  const update = `${commandFor(options, 'index')}, or search with --refresh`;
  return { botPlace: options, places: options.in, update };
}

/** What to ask for a format. With JSON the defaults are those of `searchFiles`. */
function requestOf(query: string, options: SearchCommandOptions): SearchFilesRequest {
  const { format = 'text', limit, perFile, contextDepth, consolidate, includeBreadcrumb, withContext } = options;
  const { tag = [], mode, minScore, explain, highlight } = options;
  const tags = tagFilterOf(tag);
  const request = { query, limit, perFile, contextDepth, consolidate, tags, mode, minScore, explain };
  switch (format) {
    case 'json':
    case 'jsonl':
      return { ...request, includeBreadcrumb, withContext, highlight };
    case 'files':
      return { ...request, contextDepth: 0, perFile: perFile ?? 1 };
    case 'vimgrep':
      if (!consolidate) return { ...request, limit: limit ?? LIMIT, contextDepth: 0, highlight: true };
      throw new WaymarkError(
        'INVALID_ARGUMENT',
        '--format vimgrep prints one line per match: leave out --consolidate.',
      );
    default: {
      // With the passages beside a match, a heading is shown with the text after it.
      const plain = !consolidate && contextDepth === undefined;
      return { ...request, limit: limit ?? LIMIT, contextDepth: contextDepth ?? (plain ? 1 : 0), withContext: plain };
    }
  }
}
