import type { SearchFilesRequest } from '../../../../index.js';
import { headingsOf, placeOf, type Result } from '../../../output/results/result.js';
import { find } from '../../search/find.js';
import { shownContent } from '../../search/shown-content.js';
import { fitting, validateBudget } from '../budget.js';
import { BUDGET_PROPERTY, stringOf, type Tool } from '../tool.js';

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
    limit: { type: 'integer', minimum: 1, maximum: 50, description: `Most results. Defaults to ${LIMIT}.` },
    path: {
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      description: 'Only this file, folder or glob such as "guides/**/*.md"; of a list, any of them.',
    },
    perFile: { type: 'integer', minimum: 1, maximum: 50, description: 'Most results of one file. Defaults to all.' },
    contextDepth: {
      type: 'integer',
      minimum: 0,
      maximum: 10,
      description: 'Neighbouring passages before and after each result. Defaults to 0.',
    },
    consolidate: { type: 'boolean', description: 'One result per file, its matches under their headings.' },
    mode: { enum: ['hybrid', 'dense', 'lexical'], description: 'By both (default), by meaning, or by words only.' },
    minScore: { type: 'number', minimum: 0, maximum: 1, description: 'Leave out results with a lower score.' },
    tags: { type: 'object', description: 'Only files with these tags, as {"audience": "admin"}.' },
    explain: { type: 'boolean', description: 'Add how each score was computed.' },
    budget: BUDGET_PROPERTY,
  },
  required: ['query'],
  run: async ({ path = [], budget: given, limit = LIMIT, contextDepth = 0, ...request }, { engine, budget }) => {
    const tokens = validateBudget(given ?? budget);
    const places = [path].flat().map((place) => stringOf({ path: place }, 'path'));
    const asked = { ...request, limit, contextDepth, withContext: false, includeBreadcrumb: false };
    const { results, notes } = await find(engine, asked as SearchFilesRequest, {
      places,
      compare: true,
    });
    const around = { engine, before: Number(contextDepth), after: Number(contextDepth) };
    const shown = await Promise.all(
      results.map(async (result) => ({ result, text: await shownContent(result, around) })),
    );
    const answer = (count: number) => textOf(shown, { count, notes, budget: tokens });
    const count = fitting(shown.length, tokens, answer);
    return {
      text: answer(count),
      structured: {
        results: shown.slice(0, count).map(structuredOf),
        leftOut: results.slice(count).map(placeOf),
        notes,
      },
    };
  },
};

function textOf(
  shown: readonly Shown[],
  { count, notes, budget }: { readonly count: number; readonly notes: readonly string[]; readonly budget: number },
): string {
  const blocks = shown.slice(0, count).map(({ result, text }) => {
    const headings = headingsOf(result);
    const explanation = result.meta.explanation;
    return [
      `${placeOf(result)} (${result.score.toFixed(2)})${headings && ` ${headings}`}`,
      ...(explanation ? [JSON.stringify(explanation)] : []),
      '',
      text.trim(),
    ].join('\n');
  });
  const left = shown.slice(count).map(({ result }) => placeOf(result));
  const more = left.length > NAMED ? `, and ${left.length - NAMED} more` : '';
  const sentence =
    left.length === 0
      ? []
      : [
          `Left out to stay within ${budget} tokens: ${left.slice(0, NAMED).join(', ')}${more}. ` +
            `Read them with get, as {"path": ${JSON.stringify(left[0])}}.`,
        ];
  return [...blocks, ...sentence, ...notes].join('\n\n---\n\n');
}

function structuredOf({ result, text }: Shown): object {
  const { file, path, score, meta } = result;
  const { startLine, endLine, breadcrumb, explanation } = meta;
  return { place: placeOf(result), key: file.key, path, startLine, endLine, breadcrumb, score, text, explanation };
}
