import type { Interval } from 'waymark/evaluation';
import { drawing, element, FAINT, INK, label } from './svg.js';

export interface Bars {
  readonly title: string;
  /** What the height of a bar is, 0..1. */
  readonly axis: string;
  /** The bars of each group, in the same order; a group may lack some. */
  readonly series: readonly { readonly name: string; readonly colour: string }[];
  readonly groups: readonly { readonly name: string; readonly values: readonly (Interval | undefined)[] }[];
}

const BAR = 26;
const GAP = 34;
const TOP = 76;
const HEIGHT = 240;
const LEFT = 64;
const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];

/** Groups of bars, one of each series, with their intervals as whiskers and their means above them. */
export function barChart({ title, axis, series, groups }: Bars): string {
  const step = series.length * BAR + GAP;
  const right = LEFT + GAP / 2 + groups.length * step;
  const yOf = (value: number) => TOP + HEIGHT * (1 - value);
  const grid = TICKS.flatMap((tick) => [
    element('line', { x1: LEFT, x2: right, y1: yOf(tick), y2: yOf(tick), stroke: tick === 0 ? INK : FAINT }),
    label(tick.toFixed(1), { x: LEFT - 8, y: yOf(tick) + 4, anchor: 'end' }),
  ]);
  const middle = TOP + HEIGHT / 2;
  const axisLabel = label(axis, { x: 20, y: middle, anchor: 'middle', transform: `rotate(-90 20 ${middle})` });
  const keys = series.flatMap(({ name, colour }, i) => [
    element('rect', { x: LEFT + i * 96, y: 42, width: 12, height: 12, fill: colour }),
    label(name, { x: LEFT + i * 96 + 18, y: 52 }),
  ]);
  const bars = groups.flatMap(({ name, values }, group) => {
    const left = LEFT + GAP + group * step;
    return [
      ...values.flatMap((value, i) =>
        value ? [bar(value, { x: left + i * BAR, colour: series[i]?.colour ?? INK, yOf })] : [],
      ),
      label(name, { x: left + (series.length * BAR) / 2, y: TOP + HEIGHT + 20, anchor: 'middle' }),
    ];
  });
  const elements = [...keys, ...grid, axisLabel, ...bars];
  return drawing({
    title,
    width: Math.max(right + 16, LEFT + series.length * 96),
    height: TOP + HEIGHT + 40,
    elements,
  });
}

function bar(
  { mean, low, high }: Interval,
  { x, colour, yOf }: { readonly x: number; readonly colour: string; readonly yOf: (value: number) => number },
): string {
  const middle = x + BAR / 2;
  const whisker = { stroke: INK, 'stroke-width': 1.2 };
  const cap = (value: number) =>
    element('line', { x1: middle - 4, x2: middle + 4, y1: yOf(value), y2: yOf(value), ...whisker });
  return element('g', {}, [
    element('rect', { x: x + 1, y: yOf(mean), width: BAR - 2, height: yOf(0) - yOf(mean), fill: colour }),
    element('line', { x1: middle, x2: middle, y1: yOf(low), y2: yOf(high), ...whisker }),
    cap(low),
    cap(high),
    label(mean.toFixed(2).replace(/^0/, ''), { x: middle, y: yOf(high) - 5, anchor: 'middle', 'font-size': 10 }),
  ]);
}
