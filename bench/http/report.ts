import { textTable } from 'waymark/evaluation';
import type { Latencies } from '../support/statistics/latencies.js';
import type { HttpResult } from './measure.js';

/** Text for the terminal. */
export function httpReport(result: HttpResult): string {
  const { passages, inProcess, overHttp, added, addedByAdditions, load, errors } = result;
  const rows: [string, Latencies][] = [
    ['one at a time, in process', inProcess],
    ['one at a time, over HTTP', overHttp],
    [`${load.clients} clients at once`, load],
  ];
  const columns = ({ p50, p95, p99, max }: Latencies) => [p50, p95, p99, max].map((time) => time.toFixed(1));
  const rate = `${load.perSecond.toFixed(0)} searches per second for ${load.seconds.toFixed(0)} s`;
  return [
    textTable(['searchFiles, ms', 'calls', 'p50', 'p95', 'p99', 'max'], {
      left: 1,
      rows: rows.map(([name, latencies]) => [name, String(latencies.calls), ...columns(latencies)]),
    }),
    `HTTP adds ${added.toFixed(1)} ms to a search (median) over ${passages} passages.`,
    `With mode, minScore, path, explain and positions it adds ${addedByAdditions.toFixed(2)} ms more.`,
    `${rate}, ${errors} errors; p99 is ${(load.p99 / load.p50).toFixed(1)} times the median.`,
    '',
  ].join('\n');
}
