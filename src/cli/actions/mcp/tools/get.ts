import { shownPath } from '../../../output/results/result.js';
import { excerptOf } from '../../get/excerpt.js';
import { linesIn } from '../../get/lines.js';
import { fittingAnswer, validateBudget } from '../budget.js';
import { BUDGET_PROPERTY, stringOf, type Tool } from '../tool.js';

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
    const { key, path, startLine, endLine, lines } = excerpt;
    const place = shownPath({ path, file: { key } });
    const rows = linesIn(excerpt.text);
    return fittingAnswer(rows.length, tokens, (count) => {
      const after = startLine + count;
      const text = rows.slice(0, count).join('');
      const parts = [`${place}:${startLine}-${after - 1} of ${lines} lines`, '', text];
      const structured = { ...excerpt, endLine: after - 1, text };
      if (count === rows.length) return { text: parts.join('\n'), structured };
      const next = { path: `${place}:${after}-${endLine}` };
      const left =
        `Lines ${after}-${endLine} are left out to stay within ${tokens} tokens. ` +
        `Read them with get: ${JSON.stringify(next)}`;
      return { text: [...parts, '---', '', left].join('\n'), structured: { ...structured, next } };
    });
  },
};
