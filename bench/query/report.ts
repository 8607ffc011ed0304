import { textTable } from 'waymark/evaluation';
import { type Curve, curveChart } from '../chart/curves.js';
import { colourOf } from '../growth/colours.js';
import { exponentOf } from '../growth/exponent.js';
import { orNone, shown, verdict } from '../growth/verdict.js';
import type { Latencies } from '../http/latencies.js';
import type { QueryResult } from './query.js';

const PARTS: readonly { readonly name: string; readonly of: (result: QueryResult) => Latencies }[] = [
  { name: 'embedding', of: ({ parts }) => parts.embed },
  { name: 'vectors', of: ({ parts }) => parts.vectors },
  { name: 'postings', of: ({ parts }) => parts.postings },
  { name: 'shapes', of: ({ parts }) => parts.shapes },
  { name: 'reading', of: ({ parts }) => parts.read },
  { name: 'rest', of: ({ parts }) => parts.rest },
  { name: 'embedding alone', of: ({ alone }) => alone },
  { name: 'added to that', of: ({ added }) => added },
  { name: 'busy', of: ({ parts }) => parts.busy },
  { name: 'whole', of: ({ parts }) => parts.whole },
  { name: 'whole, asked again', of: ({ repeated }) => repeated },
];

/** Exponent of each part's growth with the number of passages; those that cannot be told are left out. */
export function growthOf(results: readonly QueryResult[]): Record<string, { p50: number; p95: number }> {
  return Object.fromEntries(
    PARTS.flatMap(({ name, of }) => {
      const grows = (at: 'p50' | 'p95') =>
        exponentOf(results.map((result) => ({ x: result.passages, y: of(result)[at] })));
      const [p50, p95] = [grows('p50'), grows('p95')];
      return p50 === undefined || p95 === undefined ? [] : [[name, { p50, p95 }] as const];
    }),
  );
}

export function queryReport(results: readonly QueryResult[]): string {
  const growth = growthOf(results);
  const table = textTable(
    [
      'searchFiles, ms',
      ...results.flatMap(({ passages }) => [`${passages.toLocaleString('en')}: p50`, 'p95']),
      'grows as',
    ],
    {
      left: 1,
      rows: PARTS.map(({ name, of }) => [
        name,
        ...results.flatMap((result) => [of(result).p50.toFixed(2), of(result).p95.toFixed(2)]),
        growth[name] ? `n^${growth[name].p50.toFixed(2)}` : '',
      ]),
    },
  );
  const indexes = results.map(({ passages, index }) => `${passages.toLocaleString('en')} ${index}`).join(', ');
  return [table, `Index: ${indexes}.`, ...orNone(queryVerdicts(results)), ''].join('\n');
}

/** What is asked of an index of this size. */
const SIZE = 100_000;

/** Of the size that has targets; none where it was not measured. */
export function queryVerdicts(results: readonly QueryResult[]): string[] {
  return (
    results
      // A generated collection has a passage more or less.
      .filter(({ passages }) => Math.abs(passages - SIZE) < SIZE / 100)
      .flatMap(({ parts, added, index }) => {
        const at = `p95 at ${shown(SIZE)} passages, ${index}`;
        return [
          verdict(`added to the embedding, ${at}`, { value: added.p95, most: 10, unit: 'ms' }),
          verdict(`busy, postings beside the embedding included, ${at}`, {
            value: parts.busy.p95,
            most: 10,
            unit: 'ms',
          }),
          verdict(`the whole, ${at}`, { value: parts.whole.p95, most: 40, unit: 'ms' }),
        ];
      })
  );
}

const DRAWN = ['embedding', 'vectors', 'postings', 'reading', 'whole'];

export function queryChart(results: readonly QueryResult[]): string {
  const curve = (name: string, at: 'p50' | 'p95'): Omit<Curve, 'colour'> => {
    const of = PARTS.find((part) => part.name === name)?.of;
    const points = results.flatMap((result) => (of ? [{ x: result.passages, y: of(result)[at] }] : []));
    return { name: `${name}, ${at}`, points };
  };
  const lines = [
    ...DRAWN.map((name) => curve(name, 'p50')),
    { ...curve('added to that', 'p95'), name: 'added to the embedding, p95' },
    curve('whole', 'p95'),
  ].map((line, i) => ({ ...line, colour: colourOf(i) }));
  return curveChart({
    title: 'Where the time of a search goes',
    xAxis: 'passages in the index',
    yAxis: 'milliseconds',
    lines,
  });
}
