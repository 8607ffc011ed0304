import path from 'node:path';
import { measureAblations } from '../ablations/ablations.js';
import { ablationsReport } from '../ablations/report.js';
import { VARIANTS } from '../ablations/variants.js';
import type { Collection } from '../collections/collection.js';
import { loadCollection } from '../collections/load-collection.js';
import { PACKAGE_ROOT } from '../package-root.js';
import { MODES } from '../ranking/modes.js';
import { ablationsChart, qualityChart } from '../report/charts.js';
import { origin } from '../report/origin.js';
import { progressLine } from '../report/progress-line.js';
import { type EarlierResult, jsonOf, readResult, writeResult } from '../report/result-file.js';
import { reportOf } from '../report/text.js';
import { type Arguments, argumentsOf, HELP } from './arguments.js';
import { measureQuality } from './quality.js';

/** `npm run bench -- quality …` Throws `UsageError`. */
export async function qualityCommand(args: readonly string[]): Promise<void> {
  const { folder, ...options } = argumentsOf(args);
  if (folder === undefined) {
    process.stdout.write(HELP);
    return;
  }
  const before = options.against === undefined ? undefined : readResult(options.against);
  const collection = loadCollection(folder);
  await (options.ablations ? ablate(collection, options) : measure(collection, { ...options, before }));
}

type Options = Omit<Arguments, 'folder'>;

async function measure(
  collection: Collection,
  { before, ...options }: Options & { readonly before: EarlierResult | undefined },
): Promise<void> {
  const { index, limitQueries } = options;
  const started = new Date();
  const settings = { ...options, modes: MODES, onProgress: progressLine() };
  const { model, ...measured } = await measureQuality(collection, settings);
  const result = {
    collection: collection.name,
    ...origin(started),
    settings: { index, model, limitQueries: limitQueries ?? null },
    ...measured,
  };
  process.stdout.write(reportOf(result, before));
  keep(`quality-${collection.name}`, {
    ...options,
    json: jsonOf(result, { lines: 'queries' }),
    chart: qualityChart(result),
  });
}

async function ablate(collection: Collection, options: Options): Promise<void> {
  const started = new Date();
  const settings = { ...options, variants: VARIANTS, onProgress: progressLine() };
  const { model, ablations } = await measureAblations(collection, settings);
  const result = {
    collection: collection.name,
    ...origin(started),
    settings: { model, limitQueries: options.limitQueries ?? null },
    ablations,
  };
  process.stdout.write(ablationsReport(result));
  const name = `quality-${collection.name}-ablations`;
  keep(name, { ...options, json: jsonOf(result, { lines: 'ablations' }), chart: ablationsChart(result) });
}

/** Writes a result where it is to go, under its name unless told otherwise; a part of the queries only where that is told. */
function keep(
  name: string,
  { file, limitQueries, ...result }: Options & { readonly json: string; readonly chart: string },
): void {
  if (file === undefined && limitQueries !== undefined) return;
  const written = writeResult(file ?? path.join(PACKAGE_ROOT, 'bench', 'results', `${name}.json`), result);
  process.stderr.write(`Written to ${written.join(' and ')}\n`);
}
