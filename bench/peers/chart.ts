import { barChart } from '../chart/bars.js';
import { CONTENDERS } from './contenders/contenders.js';
import type { ContenderResult } from './measure.js';

const MEASURE = 'RR@10';

/** The main measure by kind of question, a bar a contender. */
export function peersChart({
  collection,
  results,
}: {
  collection: string;
  results: readonly ContenderResult[];
}): string {
  const rows = results.map(({ summary }) => summary.filter(({ corpus }) => corpus === summary.at(-1)?.corpus));
  const groups = (rows[0] ?? []).map(({ type, n }) => ({
    name: `${type} (${n})`,
    values: rows.map((ofOne) => ofOne.find((row) => row.type === type)?.measures[MEASURE]),
  }));
  return barChart({
    title: `${collection}: ${MEASURE} by kind of question, 95 % bootstrap intervals`,
    axis: `mean ${MEASURE}`,
    series: results.map(({ name }) => ({
      name,
      colour: CONTENDERS.find((contender) => contender.name === name)?.colour ?? '#6e7781',
    })),
    groups,
  });
}
