import { textTable } from 'waymark/evaluation';
import { targetLine } from '../support/report/target.js';
import { exponentOf, formatExponent } from '../support/statistics/exponent.js';
import type { Slope } from '../support/statistics/slope.js';
import type { Peak } from './peak.js';
import type { Steadiness } from './steadiness.js';

/** MiB that indexing may take, all processes together. */
const TARGET = 700;

export interface MemoryResult {
  /** Of indexing all passages; undefined without /proc. */
  readonly peak: Peak | undefined;
  /** Of indexing a fifth as many. */
  readonly fifth: Peak | undefined;
  /** Of the embedding processes, if `peak` is not that of the bundled model: over fewer passages. */
  readonly bundled: Peak | undefined;
  readonly steadiness: Steadiness;
}

/** Text for the terminal. */
export function memoryReport({ peak, fifth, bundled, steadiness }: MemoryResult): string {
  const peaks = peak
    ? [peaksTable([fifth, peak, bundled]), peakLine(peak, bundled), ...growthLines(fifth, peak)]
    : ['Peak memory is unknown without /proc.'];
  return [...peaks, '', ...workLines(steadiness), slopeLine(steadiness.growth), ''].join('\n');
}

function peaksTable(peaks: readonly (Peak | undefined)[]): string {
  const headings = [
    'passages',
    'seconds',
    'before',
    'main',
    'after search',
    'parsing',
    'embedding',
    'together',
    'shared once',
  ];
  const rows = peaks
    .filter((peak) => peak !== undefined)
    .map((peak) => [
      peak.model === 'hash' ? 'hash vectors' : 'bundled model',
      String(peak.passages),
      ...[
        peak.seconds,
        peak.before,
        peak.main,
        peak.searched,
        sum(peak.parsing),
        sum(peak.embedding),
        peak.together,
        peak.proportional,
      ].map((value) => value.toFixed(0)),
    ]);
  return textTable(['peak resident memory, MiB', ...headings], { left: 1, rows });
}

/** For the target: the peak of all processes together or, if they were measured separately, the sum of their peaks. */
export function peakLine(
  peak: Pick<Peak, 'passages' | 'main' | 'parsing' | 'embedding' | 'together'>,
  bundled?: Pick<Peak, 'passages' | 'embedding'>,
): string {
  const value = bundled ? peak.main + sum(peak.parsing) + sum(bundled.embedding) : peak.together;
  const how = bundled ? `sum of peaks, embedding over ${bundled.passages}` : 'all processes together';
  return targetLine(`memory of indexing ${peak.passages} passages (${how})`, { value, most: TARGET, unit: 'MiB' });
}

function growthLines(...peaks: readonly (Peak | undefined)[]): string[] {
  const exponent = exponentOf(peaks.flatMap((peak) => (peak ? [{ x: peak.passages, y: peak.together }] : [])));
  return exponent === undefined ? [] : [`Peak memory grows as ${formatExponent(exponent)} with the passages.`];
}

/** Growth is reported above two standard errors, which chance rarely exceeds. */
export function slopeLine(growth: Slope | undefined): string {
  if (!growth) return 'The run was too short to measure growth.';
  const { slope, error } = growth;
  const measured = `${slope.toFixed(2)} ± ${error.toFixed(2)} MiB per hour (least squares, standard error)`;
  return slope > 2 * error ? `Resident memory grows: ${measured}.` : `Resident memory does not grow: ${measured}.`;
}

function workLines({ samples }: Steadiness): string[] {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return [];
  const mebibytes = (of: 'rss' | 'heap' | 'external' | 'databaseBytes') =>
    [first, last].map((sample) => (sample[of] / 2 ** 20).toFixed(1));
  const rows = [
    ['resident', ...mebibytes('rss')],
    ['JavaScript heap', ...mebibytes('heap')],
    ['outside the heap', ...mebibytes('external')],
    ['database', ...mebibytes('databaseBytes')],
  ];
  return [
    `${last.operations} operations on ${last.passages} passages in ${(last.at / 60).toFixed(1)} minutes`,
    textTable(['MiB', 'first', 'last'], { left: 1, rows }),
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
