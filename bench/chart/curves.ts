import { logTicks } from './log-ticks.js';
import { spread } from './spread.js';
import { drawing, element, FAINT, INK, label } from './svg.js';

export interface Curves {
  readonly title: string;
  /** What the axes are, with units. */
  readonly xAxis: string;
  readonly yAxis: string;
  /** Points in any order; on logarithmic axes those at 0 or below have no place and are left out. */
  readonly lines: readonly Curve[];
}

export interface Curve {
  readonly name: string;
  readonly colour: string;
  readonly points: readonly Point[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const LEFT = 84;
const TOP = 52;
const WIDTH = 460;
const HEIGHT = 300;
/** Least distance of names, and the width of a letter on the safe side. */
const LINE = 15;
const LETTER = 7.5;

/** Lines through points on logarithmic axes, so that a power law is straight, each named at its right end. */
export function curveChart({ title, xAxis, yAxis, lines }: Curves): string {
  const curves = lines
    .map((line) => ({ ...line, points: line.points.filter(({ x, y }) => x > 0 && y > 0).sort((a, b) => a.x - b.x) }))
    .filter(({ points }) => points.length > 0);
  const all = curves.flatMap(({ points }) => points);
  const xs = axisOf(all.map(({ x }) => x));
  const ys = axisOf(all.map(({ y }) => y));
  const [right, bottom] = [LEFT + WIDTH, TOP + HEIGHT];
  const xOf = (x: number) => LEFT + WIDTH * xs.share(x);
  const yOf = (y: number) => bottom - HEIGHT * ys.share(y);
  const grid = [
    ...ys.ticks.flatMap((tick) => [
      element('line', { x1: LEFT, x2: right, y1: yOf(tick), y2: yOf(tick), stroke: FAINT }),
      label(written(tick), { x: LEFT - 8, y: yOf(tick) + 4, anchor: 'end' }),
    ]),
    ...xs.ticks.flatMap((tick) => [
      element('line', { x1: xOf(tick), x2: xOf(tick), y1: TOP, y2: bottom, stroke: FAINT }),
      label(written(tick), { x: xOf(tick), y: bottom + 18, anchor: 'middle' }),
    ]),
    element('path', { d: `M${LEFT} ${TOP}V${bottom}H${right}`, fill: 'none', stroke: INK }),
  ];
  const middle = TOP + HEIGHT / 2;
  const axes = [
    label(xAxis, { x: LEFT + WIDTH / 2, y: bottom + 40, anchor: 'middle' }),
    label(yAxis, { x: 20, y: middle, anchor: 'middle', transform: `rotate(-90 20 ${middle})` }),
  ];
  const names = spread(
    curves.map(({ points }) => yOf(points.at(-1)?.y ?? 1)),
    { apart: LINE, from: TOP, to: bottom },
  );
  const drawn = curves.map((curve, i) => drawnCurve(curve, { xOf, yOf, end: { x: right + 14, y: names[i] ?? TOP } }));
  const widest = Math.max(0, ...curves.map(({ name }) => name.length)) * LETTER;
  const elements = [...grid, ...axes, ...drawn];
  return drawing({ title, width: right + 34 + widest, height: bottom + 56, elements });
}

function drawnCurve(
  { name, colour, points }: Curve,
  { xOf, yOf, end }: { xOf: (x: number) => number; yOf: (y: number) => number; end: Point },
): string {
  const places = points.map(({ x, y }) => ({ x: xOf(x), y: yOf(y) }));
  const last = places.at(-1) ?? end;
  const line = places.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return element('g', {}, [
    element('polyline', { points: line, fill: 'none', stroke: colour, 'stroke-width': 2 }),
    ...places.map(({ x, y }) => element('circle', { cx: x, cy: y, r: 3.5, fill: colour })),
    // Names that would overlap stand apart: this tells which point each belongs to.
    element('line', { x1: last.x, y1: last.y, x2: end.x, y2: end.y, stroke: colour, 'stroke-opacity': 0.4 }),
    label(name, { x: end.x + 4, y: end.y + 4, fill: colour, 'font-weight': 600 }),
  ]);
}

/** Ticks around values, and where between the first and the last a value stands, 0..1. */
function axisOf(values: readonly number[]): { ticks: number[]; share: (value: number) => number } {
  const ticks = logTicks(values);
  const [low, high] = [Math.log10(ticks[0] ?? 1), Math.log10(ticks.at(-1) ?? 10)];
  return { ticks, share: (value) => (Math.log10(value) - low) / (high - low) };
}

function written(tick: number): string {
  return tick.toLocaleString('en', { maximumSignificantDigits: 3 });
}
