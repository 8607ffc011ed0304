import { type Interval, isSignificant } from 'waymark/evaluation';
import { COLOURS } from './palette.js';
import { renderSvg } from './render.js';

export interface DifferenceChart {
  readonly title: string;
  readonly xTitle: string;
  /** From top to bottom, grouped by the caller. */
  readonly rows: readonly { readonly name: string; readonly colour: string; readonly value: Interval }[];
}

/** Differences as dots with their intervals, beside a line at 0; filled where the interval excludes 0. */
export function differenceChart({ title, xTitle, rows }: DifferenceChart): Promise<string> {
  const axis = {
    title: xTitle,
    format: '+~g',
    labelExpr: "datum.value === 0 ? '0' : datum.label",
    tickCount: 6,
    grid: true,
  } as const;
  return renderSvg({
    title,
    width: 420,
    height: { step: 22 },
    layer: [
      {
        mark: { type: 'rule', color: COLOURS.black },
        encoding: { x: { datum: 0, type: 'quantitative', axis } },
        data: { values: [{}] },
      },
      {
        data: {
          values: rows.map(({ value, ...row }) => ({
            ...row,
            ...value,
            fill: isSignificant(value) ? row.colour : 'white',
          })),
        },
        encoding: {
          y: { field: 'name', sort: null, axis: { title: null, labelLimit: 400, domain: false } },
          color: { field: 'colour', scale: null },
        },
        layer: [
          {
            mark: { type: 'rule', size: 2 },
            encoding: {
              x: { field: 'low', type: 'quantitative', axis },
              x2: { field: 'high' },
            },
          },
          {
            mark: { type: 'point', size: 70, strokeWidth: 2, opacity: 1 },
            encoding: { x: { field: 'mean', type: 'quantitative', axis }, fill: { field: 'fill', scale: null } },
          },
        ],
      },
    ],
  });
}
