import { type Interval, isSignificant, textTable } from 'waymark/evaluation';
import type { Origin } from '../report/origin.js';
import type { Ablation } from './ablations.js';

/** Ablations as they are written. */
export interface AblationsFile extends Origin {
  readonly collection: string;
  readonly settings: { readonly model: string; readonly limitQueries: number | null };
  readonly ablations: readonly Ablation[];
}

/** Measures that need no column here: the others tell the same. */
const LEFT_OUT = ['IoU@1', 'Recall@10'];

/** A row a variant: the mean of each measure over all queries, and what it has over what ships. */
export function ablationsReport({ collection, settings, ablations }: AblationsFile): string {
  const names = Object.keys(allOf(ablations[0])).filter((name) => !LEFT_OUT.includes(name));
  const modes = ablations.map(({ mode }) => mode);
  const byMode = [...ablations].sort((a, b) => modes.indexOf(a.mode) - modes.indexOf(b.mode));
  const rows = byMode.map((ablation) => [
    ablation.mode,
    ablation.variant,
    ...names.flatMap((name) => [
      allOf(ablation)[name]?.mean.toFixed(3) ?? '',
      changeOf(ablation.difference?.measures[name]),
    ]),
  ]);
  const n = ablations[0]?.summary.at(-1)?.n ?? 0;
  return [
    `${collection}: ablations over ${n} queries, ${settings.model}; + and - against the same mode as shipped, * where the 95 % interval leaves out 0\n`,
    textTable(['mode', 'variant', ...names.flatMap((name) => [name, 'to shipped  '])], { rows, left: 2 }),
  ].join('\n');
}

function allOf(ablation: Ablation | undefined): Readonly<Record<string, Interval>> {
  return ablation?.summary.at(-1)?.measures ?? {};
}

function changeOf(change: Interval | undefined): string {
  if (!change) return '';
  const { mean, low, high } = change;
  const signed = (value: number, digits: number) => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(digits)}`;
  return `${signed(mean, 3)} [${signed(low, 2)}, ${signed(high, 2)}]${isSignificant(change) ? ' *' : '  '}`;
}
