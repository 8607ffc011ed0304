import { textTable } from 'waymark/evaluation';
import { formatNumber, orNoTarget, targetLine } from '../support/report/target.js';
import { exponentOf, formatExponent } from '../support/statistics/exponent.js';
import type { Latencies } from '../support/statistics/latencies.js';
import type { QueryResult } from './measure.js';

export interface Part {
  readonly name: string;
  readonly of: (result: QueryResult) => Latencies | undefined;
}

/** Parts besides the stages and the rest. */
const DERIVED: readonly Part[] = [
  { name: 'embedding alone', of: ({ alone }) => alone },
  { name: 'added to embedding', of: ({ added }) => added },
  { name: 'busy', of: ({ parts }) => parts.busy },
  { name: 'whole', of: ({ parts }) => parts.whole },
  { name: 'whole, repeated', of: ({ repeated }) => repeated },
];

/** The stages of the engine, in the order of the first result, then the rest, then what is derived from them. */
export function partsOf(results: readonly QueryResult[]): Part[] {
  const names = [...new Set(results.flatMap(({ parts }) => Object.keys(parts)))];
  const stages = names.filter((name) => !['rest', 'busy', 'whole'].includes(name));
  return [...[...stages, 'rest'].map((name): Part => ({ name, of: ({ parts }) => parts[name] })), ...DERIVED];
}

/** Exponents of the growth of each part with the number of passages, if known. */
export function growthOf(results: readonly QueryResult[]): Record<string, { p50: number; p95: number }> {
  return Object.fromEntries(
    partsOf(results).flatMap(({ name, of }) => {
      const exponent = (at: 'p50' | 'p95') =>
        exponentOf(results.map((result) => ({ x: result.passages, y: of(result)?.[at] ?? 0 })));
      const [p50, p95] = [exponent('p50'), exponent('p95')];
      return p50 === undefined || p95 === undefined ? [] : [[name, { p50, p95 }] as const];
    }),
  );
}

/** Text for the terminal. */
export function queryReport(results: readonly QueryResult[]): string {
  const growth = growthOf(results);
  const headings = results.flatMap(({ passages }) => [`${passages.toLocaleString('en')}: p50`, 'p95']);
  const table = textTable(['searchFiles, ms', ...headings, 'grows as'], {
    left: 1,
    rows: partsOf(results).map(({ name, of }) => [
      name,
      ...results.flatMap((result) => (['p50', 'p95'] as const).map((at) => of(result)?.[at].toFixed(2) ?? '')),
      formatExponent(growth[name]?.p50),
    ]),
  });
  const indexes = results.map(({ passages, index }) => `${passages.toLocaleString('en')} ${index}`).join(', ');
  return [table, `Index: ${indexes}.`, ...orNoTarget(queryTargets(results)), ''].join('\n');
}

/** The number of passages that has targets. */
const SIZE = 100_000;

export function queryTargets(results: readonly QueryResult[]): string[] {
  // A synthetic database may have a passage more or less than its size.
  const sized = results.filter(({ passages }) => Math.abs(passages - SIZE) < SIZE / 100);
  return sized.flatMap(({ parts, added, index }) => {
    const at = `p95 at ${formatNumber(SIZE)} passages, ${index}`;
    return [
      targetLine(`added to embedding, ${at}`, { value: added.p95, most: 10, unit: 'ms' }),
      targetLine(`busy, ${at}`, { value: parts.busy.p95, most: 10, unit: 'ms' }),
      targetLine(`whole, ${at}`, { value: parts.whole.p95, most: 40, unit: 'ms' }),
    ];
  });
}
