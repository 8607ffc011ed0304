import { type Interval, isSignificant } from 'waymark/evaluation';
import { drawing, element, FAINT, INK, label } from './svg.js';

export interface Dots {
  readonly title: string;
  /** What the place of a dot is. */
  readonly axis: string;
  readonly groups: readonly { readonly name: string; readonly colour: string; readonly rows: readonly Dot[] }[];
}

export interface Dot {
  readonly name: string;
  readonly value: Interval;
}

const ROW = 22;
const TOP = 56;
const LEFT = 290;
const WIDTH = 420;

/** What the axis reaches on both sides of 0 at least. */
const LEAST = 0.01;

/** Differences as dots with their intervals beside a line at 0; filled where the interval leaves out 0. */
export function dotChart({ title, axis, groups }: Dots): string {
  const values = groups.flatMap(({ rows }) => rows.map(({ value }) => value));
  const ticks = ticksAround(values);
  const [least = 0, greatest = 1] = [ticks[0], ticks.at(-1)];
  const xOf = (value: number) => LEFT + (WIDTH * (value - least)) / (greatest - least);
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
  const marks = placed.flatMap(({ name, colour, rows, head }) => [
    label(name, { x: 16, y: head + ROW - 6, 'font-weight': 600 }),
    ...rows.map((row, i) => mark(row, { y: head + ROW * (i + 1.5), xOf, colour })),
  ]);
  const axisLabel = label(axis, { x: LEFT + WIDTH, y: bottom + 40, anchor: 'end' });
  return drawing({ title, width: LEFT + WIDTH + 32, height: bottom + 56, elements: [...grid, ...marks, axisLabel] });
}

function mark(
  { name, value }: Dot,
  { y, xOf, colour }: { readonly y: number; readonly xOf: (value: number) => number; readonly colour: string },
): string {
  const { mean, low, high } = value;
  const fill = isSignificant(value) ? colour : '#ffffff';
  return element('g', {}, [
    label(name, { x: LEFT - 12, y: y + 4, anchor: 'end' }),
    element('line', { x1: xOf(low), x2: xOf(high), y1: y, y2: y, stroke: colour, 'stroke-width': 2 }),
    element('circle', { cx: xOf(mean), cy: y, r: 4.5, fill, stroke: colour, 'stroke-width': 2 }),
  ]);
}

/** Round values at one distance around all intervals and 0, at most eleven. */
export function ticksAround(values: readonly Interval[]): number[] {
  const least = Math.min(-LEAST, ...values.map(({ low }) => low));
  const greatest = Math.max(LEAST, ...values.map(({ high }) => high));
  const power = 10 ** Math.floor(Math.log10((greatest - least) / 8));
  const step = power * ([1, 2, 5].find((factor) => 8 * factor * power >= greatest - least) ?? 10);
  const [first, last] = [Math.floor(least / step), Math.ceil(greatest / step)];
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

function signed(value: number): string {
  if (value === 0) return '0';
  return `${value < 0 ? '\u2212' : '+'}${Number(Math.abs(value).toPrecision(4))}`;
}
