import { formatInterval, textTable } from 'waymark/evaluation';
import type { Outcome } from '../../support/cli/benchmark.js';
import { CONFIDENT, type LeftOutResult } from './measure.js';

/** A result of leaving out each corpus in turn as it is written. */
export interface LeftOutFile extends LeftOutResult {
  readonly collection: string;
  readonly settings: { readonly model: string };
}

export function leftOutOutcome(result: LeftOutFile): Outcome {
  return {
    report: leftOutReport(result),
    result,
    itemPerLine: 'corpora',
    file: `quality-${result.collection}-left-out`,
  };
}

export function leftOutReport({ collection, settings, corpora, ...result }: LeftOutFile): string {
  const rows = corpora.map(({ corpus, constants, answerable, shipped, confident, right, ...measures }) => [
    corpus,
    String(answerable),
    measures['RR@10'].toFixed(3),
    shipped.toFixed(3),
    `${right} of ${confident}`,
    Object.values(constants).join(' '),
  ]);
  const [{ constants } = { constants: {} }] = corpora;
  const headings = [
    'left out',
    'n',
    'RR@10',
    'as shipped',
    `right from ${CONFIDENT}`,
    Object.keys(constants).join(' '),
  ];
  return [
    `${collection}: constants and score chosen on the other corpora, ${settings.model}\n`,
    textTable(headings, { rows, left: 1 }),
    `RR@10 ${formatInterval(result['RR@10'])}`,
    ...(result.paraphrases ? [`paraphrases ${formatInterval(result.paraphrases)}`] : []),
    `as shipped ${formatInterval(result.shipped)}`,
    `AUROC of the score, with an answer against without: ${result.auroc.toFixed(3)}`,
  ].join('\n');
}
