import { showLines } from '../../../output/lines.js';
import { shownPath } from '../../../output/results/result.js';
import { type Excerpt, excerptOf } from '../../get/excerpt.js';
import { linesIn } from '../../get/lines.js';
import { fittingAnswer, fittingCount, validateBudget } from '../budget.js';
import { type Answer, BUDGET_PROPERTY, stringOf, type Tool } from '../tool.js';

export const getTool: Tool = {
  name: 'get',
  title: 'Read lines of a file',
  description:
    'Read an indexed file, or lines of it, as it is indexed. Give the path as search prints it. ' +
    'Examples: {"path": "docs/keys.md:5-20"}, {"path": "docs/keys.md:5", "contextDepth": 1}, {"path": "docs/keys.md"}',
  properties: {
    path: { type: 'string', description: 'path, path:line, path:from-to or path:from-' },
    contextDepth: {
      type: 'integer',
      minimum: 0,
      maximum: 10,
      description: 'Also the rest of the passages that the lines are in, and this many before and after them.',
    },
    budget: BUDGET_PROPERTY,
  },
  required: ['path'],
  run: async (given, { engine, budget }) => {
    const tokens = validateBudget(given.budget ?? budget);
    const contextDepth = given.contextDepth as number | undefined;
    const excerpt = await excerptOf(stringOf(given, 'path'), { engine, contextDepth });
    const place = shownPath({ path: excerpt.path, file: { key: excerpt.key } });
    const rows = linesIn(excerpt.text);
    const linesAt = (count: number) => answerOf(rows.slice(0, count), { excerpt, place, tokens });
    const count = fittingCount(rows.length, tokens, linesAt);
    const [first] = rows;
    if (count > 0 || first === undefined) return linesAt(count);
    // A line may be longer than the answer.
    return fittingAnswer(first.length, tokens, (length) => {
      const beginning = first.slice(0, length).replace(/[\ud800-\udbff]$/, '');
      return answerOf([beginning], { excerpt, place, tokens, cut: first.length });
    });
  },
};

interface Whole {
  readonly excerpt: Excerpt;
  readonly place: string;
  /** The budget. */
  readonly tokens: number;
  /** The characters of the only row, if just its beginning is answered. */
  readonly cut?: number;
}

/** The first rows of an excerpt, with notes on what is left out. */
function answerOf(rows: readonly string[], { excerpt, place, tokens, cut }: Whole): Answer {
  const { startLine, endLine, lines } = excerpt;
  const after = startLine + rows.length;
  const text = rows.join('');
  const rest = showLines({ startLine: after, endLine });
  const next = after > endLine ? undefined : { path: `${place}:${rest}` };
  const [left, it] = after === endLine ? [`Line ${rest} is`, 'it'] : [`Lines ${rest} are`, 'them'];
  const within = `to stay within ${tokens} tokens.`;
  const notes = [
    ...(cut === undefined
      ? []
      : [`Line ${startLine} has ${cut} characters and is cut ${within} Read all of it with a greater budget.`]),
    ...(next ? [`${left} left out ${within} Read ${it} with get: ${JSON.stringify(next)}`] : []),
  ];
  const shown = `${place}:${showLines({ startLine, endLine: after - 1 })}`;
  const heading = lines === 0 ? `${place} is empty` : `${shown} of ${lines === 1 ? '1 line' : `${lines} lines`}`;
  const parts = [heading, '', text];
  return {
    text: [...parts, ...(notes.length > 0 ? ['---', '', ...notes] : [])].join('\n'),
    structured: { ...excerpt, endLine: after - 1, text, ...(next && { next }), ...(cut !== undefined && { notes }) },
  };
}
