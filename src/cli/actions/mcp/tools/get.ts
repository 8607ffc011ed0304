import { shownPath } from '../../../output/results/result.js';
import { excerptOf } from '../../get/excerpt.js';
import { linesIn } from '../../get/lines.js';
import { fitting, validateBudget } from '../budget.js';
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
    const textOf = (count: number) => {
      const next = startLine + count;
      const parts = [`${place}:${startLine}-${next - 1} of ${lines} lines`, '', rows.slice(0, count).join('')];
      if (count === rows.length) return parts.join('\n');
      const rest = JSON.stringify({ path: `${place}:${next}-${endLine}` });
      const left = `Lines ${next}-${endLine} are left out to stay within ${tokens} tokens. Read them with get: ${rest}`;
      return [...parts, '---', '', left].join('\n');
    };
    const count = fitting(rows.length, tokens, textOf);
    const text = rows.slice(0, count).join('');
    return { text: textOf(count), structured: { ...excerpt, endLine: startLine + count - 1, text } };
  },
};
