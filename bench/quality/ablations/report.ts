import { type Interval, isSignificant, textTable } from 'waymark/evaluation';
import type { Outcome } from '../../support/cli/benchmark.js';
import { type AblationsFile, ablationsChart } from './chart.js';
import type { Ablation } from './measure.js';

export async function ablationsOutcome(result: AblationsFile): Promise<Outcome> {
  const { collection, settings } = result;
  return {
    report: ablationsReport(result),
    result,
    itemPerLine: 'ablations',
    chart: await ablationsChart(result),
    file: settings.limitQueries === null ? `quality-${collection}-ablations` : undefined,
  };
}

/** Measures that add no information to the others. */
const OMITTED = ['IoU@1', 'Recall@10'];

/** One row per variant: the mean of each measure over all queries, and the difference to the defaults. */
export function ablationsReport({ collection, settings, ablations }: AblationsFile): string {
  const names = Object.keys(overall(ablations[0])).filter((name) => !OMITTED.includes(name));
  const modes = ablations.map(({ mode }) => mode);
  const byMode = [...ablations].sort((a, b) => modes.indexOf(a.mode) - modes.indexOf(b.mode));
  const rows = byMode.map((ablation) => [
    ablation.mode,
    ablation.variant,
    ...names.flatMap((name) => [
      overall(ablation)[name]?.mean.toFixed(3) ?? '',
      formatDifference(ablation.difference?.measures[name]),
    ]),
  ]);
  const n = ablations[0]?.summary.at(-1)?.n ?? 0;
  return [
    `${collection}: ablations over ${n} queries, ${settings.model};`,
    'differences to the same mode as shipped, * if the 95 % interval excludes 0\n',
    textTable(['mode', 'variant', ...names.flatMap((name) => [name, 'to shipped  '])], { rows, left: 2 }),
  ].join('\n');
}

function overall(ablation: Ablation | undefined): Readonly<Record<string, Interval>> {
  return ablation?.summary.at(-1)?.measures ?? {};
}

function formatDifference(difference: Interval | undefined): string {
  if (!difference) return '';
  const { mean, low, high } = difference;
  const signed = (value: number, digits: number) => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(digits)}`;
  return `${signed(mean, 3)} [${signed(low, 2)}, ${signed(high, 2)}]${isSignificant(difference) ? ' *' : '  '}`;
}
