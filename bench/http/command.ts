import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readQuestions, textTable } from 'waymark/evaluation';
import { PACKAGE_ROOT } from '../package-root.js';
import { origin } from '../report/origin.js';
import { UsageError } from '../usage-error.js';
import { type HttpResult, measureHttp } from './http.js';
import type { Latencies } from './latencies.js';

const HELP = `Usage: npm run bench -- http [options]

Starts waymark serve over corpus/ and asks its questions: one at a time, in process and over HTTP in turn, then many
clients at once.

  --clients <n>   clients at once (default: 50)
  --seconds <n>   for so long (default: 60)
  --json <file>   where the result goes (default: bench/results/http.json)
`;

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  clients: { type: 'string', default: '50' },
  seconds: { type: 'string', default: '60' },
  json: { type: 'string', default: path.join(PACKAGE_ROOT, 'bench', 'results', 'http.json') },
} as const;

/** `npm run bench -- http …` Throws `UsageError`. */
export async function httpCommand(args: readonly string[]): Promise<void> {
  const { values } = parse(args);
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const folder = path.join(PACKAGE_ROOT, 'corpus');
  const queries = readQuestions(path.join(folder, 'queries.jsonl')).map(({ text }) => text);
  const clients = positive('--clients', values.clients);
  const seconds = positive('--seconds', values.seconds);
  const result = await measureHttp({ folder, queries, clients, seconds });
  mkdirSync(path.dirname(values.json), { recursive: true });
  writeFileSync(values.json, `${JSON.stringify({ ...origin(new Date()), ...result }, null, 2)}\n`);
  process.stdout.write(report(result));
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`${name} must be a number above 0; it is ${text}.`);
}

function report({ passages, inProcess, overHttp, added, load, errors }: HttpResult): string {
  const rows: [string, Latencies][] = [
    ['one at a time, in process', inProcess],
    ['one at a time, over HTTP', overHttp],
    [`${load.clients} clients at once`, load],
  ];
  const columns = (latencies: Latencies) =>
    [latencies.p50, latencies.p95, latencies.p99, latencies.max].map((milliseconds) => milliseconds.toFixed(1));
  return [
    textTable(['searchFiles, milliseconds', 'calls', 'p50', 'p95', 'p99', 'max'], {
      left: 1,
      rows: rows.map(([name, latencies]) => [name, String(latencies.calls), ...columns(latencies)]),
    }),
    `HTTP adds ${added.toFixed(1)} ms to a search (median), over ${passages} passages.`,
    `${load.perSecond.toFixed(0)} searches a second for ${load.seconds.toFixed(0)} s, ${errors} errors; p99 is ${(load.p99 / load.p50).toFixed(1)} times the median.`,
    '',
  ].join('\n');
}
