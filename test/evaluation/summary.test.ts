import { describe, expect, it } from 'vitest';
import { differencesTable, evaluateQuestion, pairedDifferences, summarise, summaryTable } from 'waymark/evaluation';

const ALIKE = { mean: 1, low: 1, high: 1 };

function found(file: string, startLine: number, endLine: number) {
  return { file, startLine, endLine, score: 0.5 };
}

describe('the measures of a question', () => {
  const spans = [
    { file: 'a.md', startLine: 3, endLine: 4 },
    { file: 'b.md', startLine: 1, endLine: 1 },
  ];
  const question = { id: 'q', type: 'question', text: '?', spans };
  const passages = [found('c.md', 1, 8), found('a.md', 3, 6)];

  it('treat the spans as alternatives', () => {
    expect(evaluateQuestion(question, passages)).toEqual({
      id: 'q',
      type: 'question',
      measures: { 'RR@10': 0.5, 'Recall@5': 1, 'IoU@1': 0, 'IoU@5': 0.5, 'lines@10': 6 },
      topScore: 0.5,
      top: passages,
    });
  });

  it('need all spans if the type is multi', () => {
    const { measures } = evaluateQuestion({ ...question, type: 'multi' }, passages);
    expect(measures).toMatchObject({ 'RR@10': 0.5, 'Recall@5': 0.5, 'IoU@5': 0.25 });
  });

  it('are 0 without passages and absent without spans', () => {
    expect(evaluateQuestion(question, [])).toEqual({
      id: 'q',
      type: 'question',
      measures: { 'RR@10': 0, 'Recall@5': 0, 'IoU@1': 0, 'IoU@5': 0, 'lines@10': 0 },
      top: [],
    });
    expect(evaluateQuestion({ ...question, spans: [] }, passages).measures).toEqual({});
  });
});

const RESULTS = [
  { id: '1', type: 'easy', measures: { M: 1 }, topScore: 0.9 },
  { id: '2', type: 'hard', measures: { M: 0 }, topScore: 0.3 },
  { id: '3', type: 'unanswerable', measures: {}, topScore: 0.5 },
];

describe('a summary', () => {
  it('has a row per kind and one for all, with the AUROC of the scores', () => {
    expect(summarise(RESULTS)).toEqual([
      { type: 'easy', n: 1, measures: { M: ALIKE } },
      { type: 'hard', n: 1, measures: { M: { mean: 0, low: 0, high: 0 } } },
      {
        type: 'all',
        n: 2,
        measures: { M: { mean: 0.5, low: 0, high: 1 } },
        auroc: { value: 0.5, answerable: 2, unanswerable: 1 },
      },
    ]);
  });

  it('ranks a query without results below all others', () => {
    const [, , { auroc } = {}] = summarise([...RESULTS, { id: '4', type: 'unanswerable', measures: {} }]);
    expect(auroc).toEqual({ value: 0.75, answerable: 2, unanswerable: 2 });
  });

  it('can be printed as a table', () => {
    const rows = summarise(RESULTS).map((row) => ({ name: 'dense', ...row }));
    expect(summaryTable(rows, { of: 'mode' })).toBe(
      `${[
        'mode   kind  n                   M        AUROC',
        'dense  easy  1               1.000',
        'dense  hard  1               0.000',
        'dense  all   2  0.500 [0.00, 1.00]  0.500 (2:1)',
      ].join('\n')}\n`,
    );
  });
});

describe('paired differences', () => {
  const run = (...values: number[]) => values.map((M, i) => ({ id: String(i), measures: { M } }));

  it('match queries by id and ignore those of one run only', () => {
    const before = run(0, 0.25, 0.5);
    const after = [...run(1, 1.25, 1.5, 99).reverse(), { id: 'unanswerable', measures: {} }];
    expect(pairedDifferences({ before, after })).toEqual({ n: 3, measures: { M: ALIKE } });
  });

  it('do not count a query that has an answer in one run only', () => {
    const before = [{ id: '0', measures: {} }, ...run(0, 0.25).slice(1)];
    expect(pairedDifferences({ before, after: run(1, 1.25) })).toEqual({ n: 1, measures: { M: ALIKE } });
  });

  it('are empty without a common measure or a common query', () => {
    const others = [{ id: '0', measures: { N: 1 } }];
    expect(pairedDifferences({ before: others, after: run(1) })).toEqual({ n: 1, measures: {} });
    expect(pairedDifferences({ before: [], after: run(1) })).toEqual({ n: 0, measures: {} });
  });

  it('are not marked with fewer than 20 questions, and have no interval with one', () => {
    const rows = [
      { name: 'a minus b', n: 19, measures: { M: ALIKE } },
      { name: 'a minus c', n: 1, measures: { M: ALIKE } },
    ];
    expect(differencesTable(rows)).toBe(
      `${['difference   n                   M', 'a minus b   19  1.000 [1.00, 1.00]', 'a minus c    1               1.000'].join('\n')}\n`,
    );
  });

  it('can be printed as a table that marks intervals that exclude 0', () => {
    const rows = [
      { name: 'a minus b', n: 20, measures: { M: ALIKE } },
      { name: 'a minus c', n: 20, measures: { M: { mean: 0.5, low: 0, high: 1 } } },
      { name: 'a minus d', n: 0, measures: {} },
    ];
    expect(differencesTable(rows)).toBe(
      `${[
        'difference   n                   M',
        'a minus b   20  1.000 [1.00, 1.00] *',
        'a minus c   20  0.500 [0.00, 1.00]',
        'a minus d    0',
      ].join('\n')}\n`,
    );
  });
});
