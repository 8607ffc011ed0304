import { type Curve, curveChart } from '../support/charts/curves.js';
import { seriesColour } from '../support/charts/palette.js';
import type { QueryResult } from './measure.js';
import { type Part, partsOf } from './report.js';

/** Parts that would clutter the chart: they are small, or their curve nearly coincides with another. */
const OMITTED = ['rest', 'shapes', 'embedding alone', 'busy', 'whole, repeated'];

/** Medians of the main parts; for the whole, and what it adds to the embedding, the 95th percentiles too. */
export function queryChart(results: readonly QueryResult[]): Promise<string> {
  const curve = ({ name, of }: Part, at: 'p50' | 'p95'): Omit<Curve, 'colour'> => ({
    name: `${name}, ${at}`,
    points: results.flatMap((result) => {
      const latencies = of(result);
      return latencies ? [{ x: result.passages, y: latencies[at] }] : [];
    }),
  });
  const curves = partsOf(results)
    .filter(({ name }) => !OMITTED.includes(name))
    .flatMap((part) => {
      if (part.name === 'whole') return [curve(part, 'p50'), curve(part, 'p95')];
      return [curve(part, part.name === 'added to embedding' ? 'p95' : 'p50')];
    });
  return curveChart({
    title: 'Where the time of a search goes',
    xTitle: 'passages in the index',
    yTitle: 'milliseconds',
    scale: 'log',
    curves: curves.map((one, i) => ({ ...one, colour: seriesColour(i) })),
  });
}
