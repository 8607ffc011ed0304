import { auroc, bootstrapMean, type Interval } from 'waymark/evaluation';
import { fitLogistic, type Observation } from '../../support/statistics/logistic.js';
import { type Constants, GRID, ranked, reciprocalRanks, SHIPPED } from './constants.js';
import type { Gathered } from './gather.js';

/** What the constants and the score reach on a corpus that they were not chosen on. */
export interface LeftOut {
  readonly corpus: string;
  /** Chosen on the other corpora. */
  readonly constants: Constants;
  readonly answerable: number;
  readonly 'RR@10': number;
  /** RR@10 with the shipped constants, for whose choice this corpus was used, too. */
  readonly shipped: number;
  /** First hits with a score of at least `CONFIDENT`, and how many of them answer. */
  readonly confident: number;
  readonly right: number;
}

export interface LeftOutResult {
  readonly corpora: readonly LeftOut[];
  readonly 'RR@10': Interval;
  /** Missing if the collection has none. */
  readonly paraphrases?: Interval;
  readonly shipped: Interval;
  /** Of the first hit's score, queries with an answer against those without. */
  readonly auroc: number;
}

/** A score at which a first hit should answer in nine of ten cases. */
export const CONFIDENT = 0.75;

/** Hits of a query that the score is fitted to: the first is what counts, the others say how it falls off. */
const FITTED = 3;

/** A query without an answer counts twice in the fit: there are few of them. */
const UNANSWERABLE_WEIGHT = 2;

/** Leaves out each corpus in turn: chooses constants and score on the others, and measures them on it. */
export function leaveOneOut(queries: readonly Gathered[]): LeftOutResult {
  const byConstants = GRID.map((constants) => ({ constants, values: reciprocalRanks(queries, constants) }));
  const shippedValues = reciprocalRanks(queries, SHIPPED);
  const values = new Map<string, number>();
  const scores: { score: number; isAnswerable: boolean }[] = [];
  const corpora = [...new Set(queries.map(({ corpus }) => corpus))].map((corpus): LeftOut => {
    const own = queries.filter((query) => query.corpus === corpus);
    const others = queries.filter((query) => query.corpus !== corpus);
    const otherIds = others.filter(isAnswerable).map(({ id }) => id);
    const [best] = byConstants.toSorted((a, b) => meanOf(b.values, otherIds) - meanOf(a.values, otherIds));
    const constants = best?.constants ?? SHIPPED;
    const score = fitLogistic(others.flatMap((query) => observationsOf(query, constants)));
    let [confident, right] = [0, 0];
    for (const query of own) {
      const [first] = observationsOf(query, constants);
      if (!first) continue;
      const value = score(first.features);
      scores.push({ score: value, isAnswerable: isAnswerable(query) });
      if (value < CONFIDENT) continue;
      confident += 1;
      if (first.isTrue) right += 1;
    }
    const ids = own.filter(isAnswerable).map(({ id }) => id);
    for (const id of ids) values.set(id, best?.values.get(id) ?? 0);
    const means = { 'RR@10': meanOf(values, ids), shipped: meanOf(shippedValues, ids) };
    return { corpus, constants, answerable: ids.length, ...means, confident, right };
  });
  const paraphrases = queries.filter((query) => query.type === 'paraphrase' && isAnswerable(query));
  const scoresOf = (wanted: boolean) => scores.filter((one) => one.isAnswerable === wanted).map(({ score }) => score);
  return {
    corpora,
    'RR@10': bootstrapMean([...values.values()]),
    ...(paraphrases.length > 0 && { paraphrases: bootstrapMean(paraphrases.map(({ id }) => values.get(id) ?? 0)) }),
    shipped: bootstrapMean([...shippedValues.values()]),
    auroc: auroc(scoresOf(true), scoresOf(false)) ?? Number.NaN,
  };
}

function observationsOf(query: Gathered, constants: Constants): Observation[] {
  const hits = ranked(query, constants);
  const best = hits[0]?.sum;
  const second = hits.find(({ sum }) => sum !== best)?.sum;
  return hits.slice(0, FITTED).map(({ sum, isRight }) => ({
    features: [sum, sum - ((sum === best ? second : best) ?? sum), query.contrast],
    isTrue: isRight,
    weight: isAnswerable(query) ? 1 : UNANSWERABLE_WEIGHT,
  }));
}

function isAnswerable({ spans }: Gathered): boolean {
  return spans.length > 0;
}

function meanOf(values: ReadonlyMap<string, number>, ids: readonly string[]): number {
  return ids.reduce((sum, id) => sum + (values.get(id) ?? 0), 0) / ids.length;
}
