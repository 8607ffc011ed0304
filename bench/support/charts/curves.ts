import { renderSvg } from './render.js';

export interface CurveChart {
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  /** Logarithmic axes, on which a power law is a straight line, leave out points at 0 or below. */
  readonly scale: 'log' | 'linear';
  readonly curves: readonly Curve[];
}

export interface Curve {
  readonly name: string;
  readonly colour: string;
  /** In ascending order of x. */
  readonly points: readonly Point[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const WIDTH = 460;
const HEIGHT = 300;
/** Least distance between two labels, in pixels. */
const LABEL = 15;

/** Lines, each with its name beside its last point. */
export function curveChart({ title, xTitle, yTitle, scale, curves }: CurveChart): Promise<string> {
  const log = scale === 'log';
  const drawn = curves.flatMap(({ points, ...curve }) => {
    const shown = points.filter(({ x, y }) => !log || (x > 0 && y > 0));
    return shown.length === 0 ? [] : [{ ...curve, points: shown }];
  });
  const all = drawn.flatMap(({ points }) => points);
  const xs = [...new Set(all.map(({ x }) => x))].sort((a, b) => a - b);
  const [bottom, top] = yDomain(
    all.map(({ y }) => y),
    log,
  );
  const at = (y: number) => (log ? Math.log10(y / bottom) / Math.log10(top / bottom) : (y - bottom) / (top - bottom));
  const labels = spread(
    drawn.map(({ name, colour, points }) => {
      const { x, y } = points.at(-1) ?? { x: 0, y: bottom };
      return { name, colour, x, y: HEIGHT * (1 - at(y)) };
    }),
  );
  const colour = { field: 'colour', scale: null } as const;
  return renderSvg({
    title,
    width: WIDTH,
    height: HEIGHT,
    encoding: {
      x: {
        field: 'x',
        type: 'quantitative',
        title: xTitle,
        scale: { type: scale, domain: [xs[0] ?? 1, xs.at(-1) ?? 10], nice: false },
        axis: log ? { values: xs, format: ',.2r', labelFlush: false } : { grid: false },
      },
      color: colour,
    },
    layer: [
      {
        data: { values: drawn.flatMap(({ points, ...curve }) => points.map((point) => ({ ...curve, ...point }))) },
        mark: { type: 'line', point: log, strokeWidth: log ? 2 : 1.5 },
        encoding: {
          y: {
            field: 'y',
            type: 'quantitative',
            title: yTitle,
            scale: { type: scale, domain: [bottom, top] },
            axis: log ? { values: powersOfTen(bottom, top), format: ',' } : { tickCount: 5 },
          },
          detail: { field: 'name' },
        },
      },
      {
        data: { values: labels },
        mark: { type: 'text', align: 'left', dx: 10, fontWeight: 600, fontSize: 12 },
        encoding: { y: { field: 'y', type: 'quantitative', scale: null }, text: { field: 'name' } },
      },
    ],
  });
}

/** From 0, or from one power of ten to another. */
function yDomain(ys: readonly number[], log: boolean): [number, number] {
  if (ys.length === 0) return [1, 10];
  if (!log) return [0, 1.1 * Math.max(...ys)];
  const least = Math.floor(Math.log10(Math.min(...ys)));
  const greatest = Math.ceil(Math.log10(Math.max(...ys)));
  return [10 ** least, 10 ** Math.max(greatest, least + 1)];
}

function powersOfTen(from: number, to: number): number[] {
  return Array.from({ length: Math.round(Math.log10(to / from)) + 1 }, (_, i) => from * 10 ** i);
}

/** Labels moved down as far as needed to keep those at the same x apart. */
function spread<Label extends Point>(labels: readonly Label[]): Label[] {
  const placed: Label[] = [];
  for (const label of labels.toSorted((a, b) => a.y - b.y)) {
    const above = placed.findLast(({ x }) => x === label.x);
    placed.push({ ...label, y: above ? Math.max(label.y, above.y + LABEL) : label.y });
  }
  return placed;
}
