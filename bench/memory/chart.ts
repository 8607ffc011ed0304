import { drawing, element, FAINT, INK, label } from '../chart/svg.js';
import type { Sample } from './work-process.js';

const [LEFT, TOP, WIDTH, HEIGHT] = [64, 52, 640, 260];
const PARTS = 5;

const CURVES = [
  { name: 'resident', colour: '#0072b2', of: ({ rss }: Sample) => rss },
  { name: 'JavaScript heap', colour: '#e69f00', of: ({ heap }: Sample) => heap },
] as const;

/** Memory over time, from 0, so that what looks level is level. */
export function memoryChart(samples: readonly Sample[]): string {
  const minutes = Math.max(...samples.map(({ at }) => at / 60), 0.1);
  const most = roundUp(Math.max(...samples.map(({ rss }) => rss / 2 ** 20), 1));
  const [right, bottom] = [LEFT + WIDTH, TOP + HEIGHT];
  const xOf = (value: number) => LEFT + (WIDTH * value) / minutes;
  const yOf = (value: number) => bottom - (HEIGHT * value) / most;
  const parts = Array.from({ length: PARTS + 1 }, (_, i) => i / PARTS);
  const grid = parts.flatMap((part) => [
    element('line', { x1: LEFT, x2: right, y1: yOf(part * most), y2: yOf(part * most), stroke: FAINT }),
    label(String(Math.round(part * most)), { x: LEFT - 8, y: yOf(part * most) + 4, anchor: 'end' }),
    label((part * minutes).toFixed(minutes < 10 ? 1 : 0), { x: xOf(part * minutes), y: bottom + 18, anchor: 'middle' }),
  ]);
  const curves = CURVES.map(({ name, colour, of }) => {
    const points = samples.map((sample) => `${xOf(sample.at / 60).toFixed(1)},${yOf(of(sample) / 2 ** 20).toFixed(1)}`);
    const last = samples.at(-1);
    return element('g', {}, [
      element('polyline', { points: points.join(' '), fill: 'none', stroke: colour, 'stroke-width': 1.5 }),
      label(name, { x: right + 8, y: (last ? yOf(of(last) / 2 ** 20) : bottom) + 4, fill: colour, 'font-weight': 600 }),
    ]);
  });
  const axes = [
    element('path', { d: `M${LEFT} ${TOP}V${bottom}H${right}`, fill: 'none', stroke: INK }),
    label('minutes', { x: LEFT + WIDTH / 2, y: bottom + 38, anchor: 'middle' }),
    label('MB after a collection', { x: LEFT, y: TOP - 8 }),
  ];
  const title = 'Memory of a process that indexes, edits, removes and searches';
  return drawing({ title, width: right + 140, height: bottom + 52, elements: [...grid, ...axes, ...curves] });
}

/** The least of 1, 2, 2.5, 5 times a power of ten that is not below a number. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 2.5, 5].find((factor) => factor * power >= value) ?? 10);
}
