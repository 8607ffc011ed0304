import { textTable } from 'waymark/evaluation';
import { exponentOf } from '../growth/exponent.js';
import type { Peak } from './peak.js';
import type { Slope } from './slope.js';
import type { Steadiness } from './steadiness.js';

/** MB that indexing may take, all processes together. */
const TARGET = 700;

export interface MemoryResult {
  /** Of indexing so many passages; undefined where there is no /proc. */
  readonly peak: Peak | undefined;
  /** Of indexing a fifth as many. */
  readonly fifth: Peak | undefined;
  /** Where the model of the first was not the bundled one: fewer passages with that, for its processes. */
  readonly bundled: Peak | undefined;
  readonly steadiness: Steadiness;
}

/** A result as a person reads it. */
export function report({ peak, fifth, bundled, steadiness }: MemoryResult): string {
  const peaks = [fifth, peak, bundled].filter((one) => one !== undefined);
  const rows = peaks.map((one) => [
    one.model === 'hash' ? 'hashes in place of the model' : 'bundled model',
    String(one.passages),
    ...[one.seconds, one.before, one.main, one.searched, sum(one.embedding), one.together, one.proportional].map((n) =>
      n.toFixed(0),
    ),
  ]);
  const columns = ['passages', 'seconds', 'before', 'main', 'and searched', 'embedding', 'at one time', 'shared once'];
  const told = peak
    ? [
        textTable(['peak resident memory, MB', ...columns], { left: 1, rows }),
        peakVerdict(peak, bundled),
        ...peakGrowth(fifth, peak),
      ]
    : ['Peak memory is not known here: there is no /proc.'];
  return [...told, '', ...worked(steadiness), growthVerdict(steadiness.growth), ''].join('\n');
}

/** Of what all had at one time or, where that was not seen, of the peaks of all: they may have been at different times. */
export function peakVerdict(
  peak: Pick<Peak, 'passages' | 'main' | 'embedding' | 'together'>,
  bundled?: Pick<Peak, 'passages' | 'embedding'>,
): string {
  const embedding = sum((bundled ?? peak).embedding);
  const total = bundled ? peak.main + embedding : peak.together;
  const met = total <= TARGET ? 'reached' : 'missed';
  const of = bundled ? `, seen over ${bundled.passages} passages` : '';
  return `Indexing ${peak.passages} passages takes ${total.toFixed(0)} MB ${bundled ? 'at most' : 'at one time'} (main process ${peak.main.toFixed(0)}, embedding processes ${embedding.toFixed(0)}${of}); the target of ${TARGET} MB is ${met}.`;
}

/** How what all processes have at one time grows with the passages; none where that is not known. */
function peakGrowth(...peaks: readonly (Peak | undefined)[]): string[] {
  const exponent = exponentOf(peaks.flatMap((peak) => (peak ? [{ x: peak.passages, y: peak.together }] : [])));
  return exponent === undefined ? [] : [`It grows as n^${exponent.toFixed(2)} with the passages.`];
}

/** A slope is taken for growth where chance would rarely make it: when it is above two standard errors. */
export function growthVerdict(growth: Slope | undefined): string {
  if (!growth) return 'Growth is not known: the run was too short.';
  const { slope, error } = growth;
  const shown = `${slope.toFixed(2)} ± ${error.toFixed(2)} MB an hour`;
  if (slope > 2 * error) return `Resident memory grows by ${shown} (least squares, standard error).`;
  return `No growth of resident memory is seen: ${shown} (least squares, standard error).`;
}

function worked({ samples }: Steadiness): string[] {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return [];
  const megabytes = (of: 'rss' | 'heap' | 'external' | 'databaseBytes') =>
    [first, last].map((sample) => (sample[of] / 2 ** 20).toFixed(1));
  const rows = [
    ['resident', ...megabytes('rss')],
    ['JavaScript heap', ...megabytes('heap')],
    ['outside the heap', ...megabytes('external')],
    ['database', ...megabytes('databaseBytes')],
  ];
  return [
    `${last.operations} operations in ${(last.at / 60).toFixed(1)} minutes on ${last.passages} passages`,
    textTable(['MB', 'first', 'last'], { left: 1, rows }),
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
