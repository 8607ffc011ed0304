import { expect, test } from 'vitest';
import { fittingCount } from '#src/cli/actions/mcp/budget.js';

test('all items are answered if they fit, even where fewer items with a note on the others do not', () => {
  const rows = Array.from({ length: 50 }, (_, i) => `${i}`.padStart(39, '0'));
  const answerOf = (shown: number) => {
    const rest =
      shown < rows.length ? [`${rows.length - shown} more rows: read them from row ${shown + 1} onwards.`] : [];
    return { text: [...rows.slice(0, shown), ...rest].join('\n'), structured: {} };
  };
  expect([answerOf(50).text.length, answerOf(49).text.length]).toEqual([1999, 2003]);
  expect(fittingCount(50, 500, answerOf)).toBe(50);
  expect(answerOf(48).text.length).toBeLessThanOrEqual(1996);
  expect(fittingCount(50, 499, answerOf)).toBe(48);
});
