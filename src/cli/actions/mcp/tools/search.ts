import { worthShowing } from '../../../../http/worth-showing.js';
import type { SearchFilesRequest } from '../../../../index.js';
import { MODES } from '../../../modes.js';
import { headingsOf, placeOf, type Result } from '../../../output/results/result.js';
import { commandFor } from '../../../storage-place.js';
import { find } from '../../search/find.js';
import { shownContent } from '../../search/shown-content.js';
import { fittingAnswer, validateBudget } from '../budget.js';
import { type Answer, BUDGET_PROPERTY, stringOf, type Tool } from '../tool.js';

/** Places that are named as left out. */
const NAMED = 5;

/** Default number of results, of which a budget may leave out some. */
const LIMIT = 8;

interface Shown {
  readonly result: Result;
  readonly text: string;
}

export const searchTool: Tool = {
  name: 'search',
  title: 'Search the documentation',
  description:
    'Find the passages of the indexed files that answer a question, best first, each with file, lines, score and ' +
    'headings. Ask in natural language, or with exact names. A score below 0.25 rarely answers. ' +
    'Example: {"query": "how do I rotate a key?", "path": "docs", "limit": 5}',
  properties: {
    query: { type: 'string', description: 'The question, or words. In lexical mode "quoted words" are a phrase.' },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 50,
      description: `Maximum number of results. Defaults to ${LIMIT}.`,
    },
    path: {
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      description: 'Only this file, folder or glob such as "guides/**/*.md"; of a list, any of them.',
    },
    perFile: {
      type: 'integer',
      minimum: 1,
      maximum: 50,
      description: 'Maximum number of results of one file. Defaults to all.',
    },
    contextDepth: {
      type: 'integer',
      minimum: 0,
      maximum: 10,
      description: 'Neighbouring passages before and after each result. Defaults to 0.',
    },
    consolidate: { type: 'boolean', description: 'One result per file, with its matches under their headings.' },
    mode: { enum: MODES, description: 'By both (default), by meaning, or by words only.' },
    minScore: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'Leave out results with a lower score. Defaults to 0.01 if any result scores higher.',
    },
    tags: { type: 'object', description: 'Only files with these tags, as {"audience": "admin"}.' },
    explain: { type: 'boolean', description: 'Add how each score was computed.' },
    budget: BUDGET_PROPERTY,
  },
  required: ['query'],
  run: async ({ path = [], budget: given, limit = LIMIT, contextDepth = 0, ...request }, context) => {
    const { engine, botPlace, budget, signal } = context;
    const tokens = validateBudget(given ?? budget);
    const places = [path].flat().map((place) => stringOf({ path: place }, 'path'));
    const asked = { ...request, limit, contextDepth, withContext: false, includeBreadcrumb: false };
    const { results: found, notes } = await find(engine, asked as SearchFilesRequest, {
      botPlace,
      places,
      signal,
      update: commandFor(botPlace, 'index'),
    });
    const results = worthShowing(found, request);
    const around = { engine, before: Number(contextDepth), after: Number(contextDepth) };
    const shown = await Promise.all(
      results.map(async (result) => ({ result, text: await shownContent(result, around) })),
    );
    return fittingAnswer(shown.length, tokens, (count) => answerOf(shown, { count, notes, budget: tokens }));
  },
};

/** The first results, with a note on those that are left out. */
function answerOf(
  all: readonly Shown[],
  { count, notes, budget }: { readonly count: number; readonly notes: readonly string[]; readonly budget: number },
): Answer {
  const shown = all.slice(0, count);
  const left = all.slice(count).map(({ result }) => placeOf(result));
  const allNotes = left.length > 0 ? [leftOut(left, budget), ...notes] : notes;
  return {
    text: [...shown.map(textOf), ...allNotes].join('\n\n---\n\n'),
    structured: { results: shown.map(structuredOf), leftOut: left.length, notes: allNotes },
  };
}

function leftOut(places: readonly string[], budget: number): string {
  const more = places.length > NAMED ? `, and ${places.length - NAMED} more` : '';
  const [first] = places;
  return (
    `Left out to stay within ${budget} tokens: ${places.slice(0, NAMED).join(', ')}${more}. ` +
    `Read them with get, as {"path": ${JSON.stringify(first)}}.`
  );
}

function textOf({ result, text }: Shown): string {
  const headings = headingsOf(result);
  const explanation = result.meta.explanation;
  return [
    `${placeOf(result)} (${result.score.toFixed(2)})${headings && ` ${headings}`}`,
    ...(explanation ? [JSON.stringify(explanation)] : []),
    '',
    text.trim(),
  ].join('\n');
}

function structuredOf({ result, text }: Shown): object {
  const { file, path, meta } = result;
  const { startLine, endLine, breadcrumb, explanation } = meta;
  // Each digit is a token of the agent's model.
  const score = Number(result.score.toFixed(3));
  return { place: placeOf(result), key: file.key, path, startLine, endLine, breadcrumb, score, text, explanation };
}
