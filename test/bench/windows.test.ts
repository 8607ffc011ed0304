import { describe, expect, it } from 'vitest';
import { scoreByWindows } from '../../bench/ranking/windows.js';

/** `a 3-5 0.5`: lines 3 to 5 of file a, with a score. */
function ranked(...texts: string[]) {
  return texts.map((text) => {
    const [, file = '', startLine, endLine, score] = /^(\S+) (\d+)-(\d+) (\S+)$/.exec(text) ?? [];
    return { file, startLine: Number(startLine), endLine: Number(endLine), score: Number(score) };
  });
}

describe('small passages with the windows around them', () => {
  it('are ranked by the weighted mean of both scores', () => {
    const passages = ranked('a 1-2 0.5', 'b 1-2 0.25');
    const windows = ranked('b 1-9 1', 'a 1-9 0.25');
    expect(scoreByWindows(passages, { windows, weight: 0.5 })).toEqual(ranked('b 1-2 0.625', 'a 1-2 0.375'));
    expect(scoreByWindows(passages, { windows, weight: 0 })).toEqual(passages);
  });

  it('take the best of the windows of their file that share a line with them', () => {
    const windows = ranked('a 1-4 0.25', 'a 5-9 0.75', 'a 10-12 1', 'b 1-99 1');
    expect(scoreByWindows(ranked('a 4-6 0.25'), { windows, weight: 0.5 })).toEqual(ranked('a 4-6 0.5'));
  });

  it('have the least score of a window where theirs was not found, 0 where none was', () => {
    const windows = ranked('a 1-4 0.75', 'a 5-9 0.25');
    expect(scoreByWindows(ranked('b 1-1 0.75'), { windows, weight: 0.5 })).toEqual(ranked('b 1-1 0.5'));
    expect(scoreByWindows(ranked('b 1-1 0.5'), { windows: [], weight: 0.5 })).toEqual(ranked('b 1-1 0.25'));
  });
});
