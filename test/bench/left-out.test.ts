import { expect, it } from 'vitest';
import { createHashEmbedder } from 'waymark';
import { type Candidate, type Gathered, gather } from '../../bench/quality/left-out/gather.js';
import { leaveOneOut } from '../../bench/quality/left-out/measure.js';
import { leftOutOutcome } from '../../bench/quality/left-out/report.js';
import { fitLogistic } from '../../bench/support/statistics/logistic.js';
import { folderOf } from '../support/folder.js';
import { spans } from './tiny-collections.js';

const candidate = (given: Partial<Candidate>): Candidate => ({
  dense: 0,
  share: 0,
  rarity: 1,
  length: 0,
  prose: 0,
  isRight: false,
  ...given,
});

/** A question whose answer comes first only if the prior of length counts in full. */
function needingLength(corpus: string, id: string): Gathered {
  const spansOfAnswer = [{ file: 'a.md', startLine: 1, endLine: 1 }];
  const candidates = [candidate({ dense: 0.6 }), candidate({ length: 0.7, isRight: true })];
  return { id, text: 'question', type: 'question', spans: spansOfAnswer, corpus, candidates, contrast: 0 };
}

/** A question whose answer comes first only if the prior of length counts half. */
function harmedByLength(corpus: string, id: string): Gathered {
  const question = needingLength(corpus, id);
  return { ...question, candidates: question.candidates.map((one) => ({ ...one, isRight: !one.isRight })) };
}

it('a corpus is ranked with the constants that do best on the others', () => {
  const needing = ['a', 'b'].flatMap((corpus) => [1, 2].map((i) => needingLength(corpus, `${corpus}${i}`)));
  const { corpora } = leaveOneOut([...needing, harmedByLength('c', 'c1')]);
  expect(corpora.map((one) => [one.corpus, one['RR@10']])).toEqual([
    ['a', 1],
    ['b', 1],
    // On the other two the prior of length counts in full.
    ['c', 0.5],
  ]);
  expect(corpora[2]?.constants.length).toBeGreaterThanOrEqual(1);
});

it('the score of a corpus is fitted on the other corpora, and first hits of at least .75 are counted', () => {
  const sure = (corpus: string, id: string, isRight: boolean): Gathered => ({
    ...needingLength(corpus, id),
    candidates: [candidate({ dense: isRight ? 3 : 0.1, isRight }), candidate({})],
    spans: isRight ? [{ file: 'a.md', startLine: 1, endLine: 1 }] : [],
  });
  const queries = ['a', 'b'].flatMap((corpus) =>
    Array.from({ length: 40 }, (_, i) => sure(corpus, `${corpus}${i}`, i % 2 === 0)),
  );
  const { corpora, auroc } = leaveOneOut(queries);
  expect(corpora.map(({ answerable, confident, right }) => [answerable, confident, right])).toEqual([
    [20, 20, 20],
    [20, 20, 20],
  ]);
  expect(auroc).toBe(1);
});

it('candidates are gathered from searches of the engine, and reported with a row for each corpus', async () => {
  const collection = spans();
  if (collection.format !== 'spans') throw new Error('not a collection of spans');
  const { model, queries } = await gather(collection, { model: createHashEmbedder(), cacheRoot: folderOf() });
  expect(model).toBe('hash');
  expect(queries.map(({ id, candidates }) => [id, candidates.length, candidates[0]?.isRight])).toEqual([
    ['g1', 2, true],
    ['g2', 2, true],
    // Its answer is the line of the heading, which no passage has.
    ['k1', 1, false],
    ['k2', 1, false],
  ]);
  const { report, file } = leftOutOutcome({
    collection: 'tiny',
    settings: { model },
    ...leaveOneOut(queries),
  });
  expect(file).toBe('quality-tiny-left-out');
  expect(report.split('\n').filter((line) => /^(garden|kitchen) /.test(line))).toHaveLength(2);
});

it('a logistic regression gives the frequencies of a feature with two values', () => {
  const observations = [0, 1].flatMap((feature) =>
    Array.from({ length: 400 }, (_, i) => ({ features: [feature], isTrue: i % 4 <= 2 * feature, weight: 1 })),
  );
  const probability = fitLogistic(observations);
  expect([probability([0]), probability([1])]).toEqual([expect.closeTo(0.25, 2), expect.closeTo(0.75, 2)]);
});

it('an observation of weight 3 counts like three', () => {
  const [yes, no] = [true, false].map((isTrue) => ({ features: [1], isTrue, weight: 1 }));
  if (!yes || !no) throw new Error('no observations');
  const weighted = fitLogistic([{ ...yes, weight: 3 }, no]);
  expect(weighted([1])).toBeCloseTo(fitLogistic([yes, yes, yes, no])([1]), 12);
});
