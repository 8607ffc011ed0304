import type { Interval } from 'waymark/evaluation';
import { COLOURS } from './palette.js';
import { renderSvg } from './render.js';

export interface BarChart {
  readonly title: string;
  /** Title of the vertical axis, which runs from 0 to 1. */
  readonly yTitle: string;
  readonly series: readonly { readonly name: string; readonly colour: string }[];
  /** Each group has a value for each series, in the order of the series; `undefined` leaves a gap. */
  readonly groups: readonly { readonly name: string; readonly values: readonly (Interval | undefined)[] }[];
}

/** Grouped bars with their intervals as whiskers and their means as labels. */
export function barChart({ title, yTitle, series, groups }: BarChart): Promise<string> {
  const values = groups.flatMap((group) =>
    group.values.flatMap((value, i) => (value ? [{ group: group.name, series: series[i]?.name, ...value }] : [])),
  );
  const names = series.map(({ name }) => name);
  return renderSvg({
    title,
    data: { values },
    width: { step: 30 },
    height: 240,
    encoding: {
      x: {
        field: 'group',
        sort: null,
        axis: { title: null, labelAngle: 0 },
        scale: { paddingInner: 0.2, paddingOuter: 0.1 },
      },
      xOffset: { field: 'series', sort: names },
      y: { field: 'mean', type: 'quantitative', title: yTitle, scale: { domain: [0, 1] } },
    },
    layer: [
      {
        mark: { type: 'bar', width: { band: 0.92 } },
        encoding: {
          color: {
            field: 'series',
            sort: names,
            scale: { domain: names, range: series.map(({ colour }) => colour) },
            legend: { title: null, orient: 'top' },
          },
        },
      },
      {
        mark: { type: 'errorbar', ticks: { size: 8, color: COLOURS.black }, rule: { color: COLOURS.black } },
        encoding: { y: { field: 'low', type: 'quantitative', title: yTitle }, y2: { field: 'high' } },
      },
      {
        mark: { type: 'text', dy: -8, fontSize: 10 },
        encoding: {
          y: { field: 'high', type: 'quantitative' },
          text: { field: 'mean', type: 'quantitative', format: '.2f' },
        },
      },
    ],
  });
}
