import { describe, expect, it } from 'vitest';
import { type Answer, type Lines, meanLines, spanIou, spanRecall, spanReciprocalRank } from 'waymark/evaluation';

/** `a 3-5`: lines 3 to 5 of file a. */
function lines(text: string): Lines {
  const [, file = '', startLine, endLine] = /^(\S+) (\d+)-(\d+)$/.exec(text) ?? [];
  return { file, startLine: Number(startLine), endLine: Number(endLine) };
}

function any(...spans: string[]): Answer {
  return { spans: spans.map(lines), wanted: 'any' };
}

function all(...spans: string[]): Answer {
  return { spans: spans.map(lines), wanted: 'all' };
}

function ranked(...passages: string[]): Lines[] {
  return passages.map(lines);
}

describe('RR of passages', () => {
  it.each([
    ['the first passage that shares a line counts', ranked('a 1-4', 'b 6-8', 'a 6-8'), any('a 8-9'), 1 / 3],
    ['one shared line is enough, at either end', ranked('a 5-9'), any('a 9-12'), 1],
    ['adjacent lines do not count', ranked('a 1-4', 'a 10-12'), any('a 5-9'), 0],
    ['any span counts, even if all are wanted', ranked('b 1-1', 'a 1-1'), all('a 1-1', 'c 1-1'), 1 / 2],
    ['no passages', [], any('a 1-1'), 0],
    ['no spans', ranked('a 1-1'), any(), 0],
  ])('%s', (_, passages, answer, value) => {
    expect(spanReciprocalRank(passages, answer, { k: 10 })).toBe(value);
  });

  it('ignores passages after the first k', () => {
    expect(spanReciprocalRank(ranked('b 1-1', 'a 1-1'), any('a 1-1'), { k: 1 })).toBe(0);
  });
});

describe('Recall of spans', () => {
  it.each([
    ['one of several spans is enough if any is wanted', ranked('x 1-1', 'b 3-3'), any('a 1-9', 'b 1-9'), 1],
    ['spans are counted if all are wanted', ranked('x 1-1', 'b 3-3'), all('a 1-9', 'b 1-9'), 1 / 2],
    ['one passage may contain two spans', ranked('a 1-20'), all('a 2-3', 'a 9-9'), 1],
    ['a span in two passages counts once', ranked('a 1-2', 'a 3-4'), all('a 1-4', 'b 1-1'), 1 / 2],
    ['no passages', [], all('a 1-1'), 0],
    ['no spans', ranked('a 1-1'), any(), 0],
  ])('%s', (_, passages, answer, value) => {
    expect(spanRecall(passages, answer, { k: 5 })).toBe(value);
  });

  it('ignores passages after the first k', () => {
    expect(spanRecall(ranked('b 1-1', 'a 1-1'), any('a 1-1'), { k: 1 })).toBe(0);
  });
});

describe('IoU of spans', () => {
  it.each([
    ['identical lines', ranked('a 3-7'), any('a 3-7'), 1],
    ['3 lines in both, 7 in either', ranked('a 1-5'), any('a 3-7'), 3 / 7],
    ['a passage ten times as long', ranked('a 1-30'), any('a 4-6'), 1 / 10],
    ['the best passage counts', ranked('a 7-7', 'a 3-6'), any('a 3-7'), 4 / 5],
    ['two halves are not joined', ranked('a 1-2', 'a 3-4'), any('a 1-4'), 1 / 2],
    ['the best span counts if any is wanted', ranked('b 1-1'), any('a 1-1', 'b 1-2'), 1 / 2],
    ['the mean counts if all are wanted', ranked('b 1-1'), all('a 1-1', 'b 1-2'), 1 / 4],
    ['another file', ranked('b 3-7'), any('a 3-7'), 0],
    ['no passages', [], any('a 1-1'), 0],
  ])('%s', (_, passages, answer, value) => {
    expect(spanIou(passages, answer, { k: 5 })).toBeCloseTo(value, 10);
  });

  it('ignores passages after the first k', () => {
    expect(spanIou(ranked('a 7-7', 'a 3-7'), any('a 3-7'), { k: 1 })).toBe(1 / 5);
  });
});

describe('mean lines', () => {
  it('averages the first k passages', () => {
    expect(meanLines(ranked('a 1-1', 'b 3-7', 'a 1-100'), { k: 2 })).toBe(3);
    expect(meanLines([], { k: 10 })).toBe(0);
  });
});
