import type { TopLevelSpec } from 'vega-lite';
import { COLOURS } from './palette.js';

const GRID = '#d0d7de';

/** White, so that a dark page leaves it legible; fonts of the reader's system. */
const CONFIG = {
  background: 'white',
  padding: 16,
  font: 'system-ui, sans-serif',
  title: { anchor: 'start', fontSize: 15, offset: 14, color: COLOURS.black },
  view: { stroke: null },
  axis: {
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 'normal',
    gridColor: GRID,
    domainColor: COLOURS.black,
    ticks: false,
    labelPadding: 6,
    titlePadding: 10,
  },
  legend: { labelFontSize: 12, symbolType: 'square' },
} as const;

/** The chart as SVG text. The same specification always gives the same bytes. */
export async function renderSvg(spec: TopLevelSpec): Promise<string> {
  // Imported on demand: benchmarks measure this process.
  const [{ parse, View }, { compile }] = await Promise.all([import('vega'), import('vega-lite')]);
  const view = new View(parse(compile({ ...spec, config: CONFIG }).spec), { renderer: 'none' });
  try {
    return `${await view.toSVG()}\n`;
  } finally {
    view.finalize();
  }
}
