import { overallRows } from '../quality/summary.js';
import { barChart } from '../support/charts/bars.js';
import { COLOURS } from '../support/charts/palette.js';
import { CONTENDERS } from './contenders/contenders.js';
import type { ContenderResult } from './measure.js';

const MEASURE = 'RR@10';

/** The main measure by kind of question, one bar per contender. */
export function peersChart(result: {
  readonly collection: string;
  readonly results: readonly ContenderResult[];
}): Promise<string> {
  const rows = result.results.map(({ summary }) => overallRows(summary));
  const colourOf = (name: string) => CONTENDERS.find((contender) => contender.name === name)?.colour ?? COLOURS.grey;
  return barChart({
    title: `${result.collection}: ${MEASURE} by kind of question, 95 % bootstrap intervals`,
    yTitle: `mean ${MEASURE}`,
    series: result.results.map(({ name }) => ({ name, colour: colourOf(name) })),
    groups: (rows[0] ?? []).map(({ type, n }) => ({
      name: `${type} (${n})`,
      values: rows.map((ofOne) => ofOne.find((row) => row.type === type)?.measures[MEASURE]),
    })),
  });
}
