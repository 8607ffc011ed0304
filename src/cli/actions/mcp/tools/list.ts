import { noMatchingFiles } from '../../../output/results/index-advice.js';
import { shownPath } from '../../../output/results/result.js';
import { pathOf } from '../../search/find.js';
import { indexedKey, indexedKeys } from '../../search/keys-of-paths.js';
import { fittingCount, validateBudget } from '../budget.js';
import { keysAfter } from '../keys-after.js';
import { shownValue } from '../shown-value.js';
import { BUDGET_PROPERTY, stringOf, type Tool } from '../tool.js';

/** Most files that one answer names. */
const PAGE = 1000;

export const listTool: Tool = {
  name: 'list',
  title: 'List the indexed files',
  description:
    'List the indexed files by their paths: all, or those in a folder or of a glob. ' +
    'Examples: {}, {"path": "docs/guides"}, {"path": "*.md"}',
  properties: {
    path: { type: 'string', description: 'A file, a folder or a glob. Defaults to all.' },
    after: { type: 'string', description: 'Only files after this one, to go on with a list that was cut.' },
    budget: BUDGET_PROPERTY,
  },
  required: [],
  run: async (given, { engine, budget }) => {
    const tokens = validateBudget(given.budget ?? budget);
    const places = given.path === undefined ? [] : [stringOf(given, 'path')];
    const place = given.after === undefined ? '' : stringOf(given, 'after');
    // Files are listed by their paths, which are ordered otherwise than their keys.
    const after = place === '' ? '' : ((await indexedKey(engine, place)) ?? place);
    const status = await engine.status();
    const keys = await engine.keys(await indexedKeys(engine, places));
    const rest = keysAfter(keys, after);
    const page = await Promise.all(
      rest.slice(0, PAGE).map(async (key) => {
        return shownPath({ path: await pathOf(key, engine), file: { key } });
      }),
    );
    const total = keys.length;
    if (total === 0) {
      const text = places.length > 0 ? noMatchingFiles(places, status) : 'No files are indexed.';
      return { text, structured: { files: [], total } };
    }
    if (rest.length === 0) {
      return { text: `No file comes after ${shownValue(place)}.`, structured: { files: [], total } };
    }
    const answerOf = (count: number) => {
      const files = page.slice(0, count);
      const left = rest.length - count;
      if (left === 0) return { text: files.join('\n'), structured: { files, total } };
      const next = { ...given, after: rest[count - 1] ?? after };
      const more = `${left} more: list them with ${JSON.stringify(next)}.`;
      return { text: [...files, more].join('\n'), structured: { files, total, next } };
    };
    // One file at least, even if its path exceeds the budget: else the next call would be the same.
    return answerOf(Math.max(1, fittingCount(page.length, tokens, answerOf)));
  },
};
