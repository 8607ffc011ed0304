import type { Interval } from 'waymark';
import { COLOURS, drawing, element, FAINT, INK, label } from './svg.js';

export interface Dots {
  readonly title: string;
  /** What the place of a dot is. */
  readonly axis: string;
  readonly groups: readonly { readonly name: string; readonly rows: readonly Dot[] }[];
}

export interface Dot {
  readonly name: string;
  readonly value: Interval;
}

const ROW = 22;
const TOP = 56;
const LEFT = 290;
const WIDTH = 420;

/** Differences as dots with their intervals beside a line at 0; filled where the interval leaves out 0. */
export function dotChart({ title, axis, groups }: Dots): string {
  const values = groups.flatMap(({ rows }) => rows.map(({ value }) => value));
  const ticks = ticksOver(Math.max(...values.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]), 0.01));
  const end = ticks.at(-1) ?? 1;
  const xOf = (value: number) => LEFT + (WIDTH * (value + end)) / (2 * end);
  let bottom = TOP;
  const placed = groups.map((group) => {
    const head = bottom;
    bottom += ROW * (group.rows.length + 1);
    return { ...group, head };
  });
  const grid = ticks.flatMap((tick) => [
    element('line', { x1: xOf(tick), x2: xOf(tick), y1: TOP, y2: bottom, stroke: tick === 0 ? INK : FAINT }),
    label(signed(tick), { x: xOf(tick), y: bottom + 18, anchor: 'middle' }),
  ]);
  const marks = placed.flatMap(({ name, rows, head }, group) => [
    label(name, { x: 16, y: head + ROW - 6, 'font-weight': 600 }),
    ...rows.map((row, i) =>
      mark(row, { y: head + ROW * (i + 1.5), xOf, colour: COLOURS[group % COLOURS.length] ?? INK }),
    ),
  ]);
  const axisLabel = label(axis, { x: LEFT + WIDTH / 2, y: bottom + 40, anchor: 'middle' });
  return drawing({ title, width: LEFT + WIDTH + 32, height: bottom + 56, elements: [...grid, ...marks, axisLabel] });
}

function mark(
  { name, value: { mean, low, high } }: Dot,
  { y, xOf, colour }: { readonly y: number; readonly xOf: (value: number) => number; readonly colour: string },
): string {
  const fill = low > 0 || high < 0 ? colour : '#ffffff';
  return element('g', {}, [
    label(name, { x: LEFT - 12, y: y + 4, anchor: 'end' }),
    element('line', { x1: xOf(low), x2: xOf(high), y1: y, y2: y, stroke: colour, 'stroke-width': 2 }),
    element('circle', { cx: xOf(mean), cy: y, r: 4.5, fill, stroke: colour, 'stroke-width': 2 }),
  ]);
}

/** Round values from -end to end, end at or above the greatest: at most nine of them. */
export function ticksOver(greatest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(greatest / 4));
  const step = power * ([1, 2, 5, 10].find((factor) => 4 * factor * power >= greatest - 1e-12) ?? 10);
  const count = Math.ceil(greatest / step - 1e-9);
  return Array.from({ length: 2 * count + 1 }, (_, i) => (i - count) * step);
}

function signed(value: number): string {
  if (Math.abs(value) < 1e-9) return '0';
  return `${value < 0 ? '\u2212' : '+'}${Number(Math.abs(value).toFixed(4))}`;
}
