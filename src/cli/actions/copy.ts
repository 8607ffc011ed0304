import { existsSync } from 'node:fs';
import path from 'node:path';
import { type CopiedBot, type CopyPlace, type CopyProgress, copyDatabase, counted, WaymarkError } from '../../index.js';
import { hideFromGit, nearestDatabase } from '../database-path.js';
import { FAILURE, SUCCESS } from '../exit-codes.js';
import { print, printMessage } from '../output/print.js';
import type { ProgressBar } from '../output/progress-bar.js';
import { storageOf } from '../storage-place.js';
import { withProgressBar } from './progress.js';

export interface CopyCommandOptions {
  /** The hosts; true for the cluster of the settings. */
  readonly toCluster?: string | true;
  readonly fromCluster?: string | true;
  readonly database?: string;
  /** The cluster of the settings. */
  readonly cluster?: string;
  readonly bot?: string;
  readonly delete?: true;
  readonly json?: true;
}

/** `waymark copy` */
export async function copy(options: CopyCommandOptions): Promise<number> {
  const { toCluster, bot, json } = options;
  const database = { database: path.resolve(options.database ?? nearestDatabase(process.cwd())) };
  const cluster = clusterOf(options);
  const [from, to]: [CopyPlace, CopyPlace] = toCluster ? [database, cluster] : [cluster, database];
  const isNew = !toCluster && !existsSync(database.database);
  const result = await withProgressBar((bar, signal) => {
    const progress = new CopyBar(bar);
    const onProgress = (step: CopyProgress) => progress.update(step);
    return copyDatabase({ from, to, bot, delete: options.delete, signal, onProgress });
  }).finally(() => {
    // Also if the copy was stopped: the next one finds the database.
    if (isNew && existsSync(database.database)) hideFromGit(database.database);
  });
  for (const { failed } of result.bots)
    for (const { key, reason } of failed) printMessage(`${key} was not copied: ${reason}`);
  for (const note of [...result.notes, ...result.bots.flatMap(({ notes }) => notes)]) printMessage(note);
  print(result, { json, lines: result.bots.flatMap(describe) });
  if (result.isAlike) return SUCCESS;
  printMessage(`${result.to} differs from ${result.from}: run the same command again, then waymark doctor on both.`);
  return FAILURE;
}

/** The cluster that the options name, or the settings. Throws `INVALID_ARGUMENT`. */
function clusterOf({ toCluster, fromCluster, cluster }: CopyCommandOptions): CopyPlace {
  const given = toCluster ?? fromCluster;
  if (given === undefined || (toCluster !== undefined && fromCluster !== undefined)) {
    throw new WaymarkError('INVALID_ARGUMENT', 'Pass either --to-cluster or --from-cluster.');
  }
  const hosts = given === true ? cluster : given;
  if (hosts) return storageOf({ cluster: hosts });
  const name = toCluster !== undefined ? '--to-cluster' : '--from-cluster';
  const message = `No cluster is set: pass its hosts, such as ${name} http://10.0.0.1:8080, or set WAYMARK_CLUSTER.`;
  throw new WaymarkError('INVALID_ARGUMENT', message);
}

function describe({ name, copied, unchanged, removed, passages, comparison }: CopiedBot): string[] {
  const files = [
    `${counted(copied, 'file')} copied`,
    ...(unchanged > 0 ? [`${unchanged} there already`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
  ];
  const line = `${name}: ${files.join(', ')}, ${counted(passages, 'passage')}`;
  if (!comparison) return [line];
  const { questions, overlap, difference } = comparison;
  const asked = `${counted(questions, 'question')} asked of both`;
  const shared = `${(100 * overlap).toFixed(1)} % of the first ten passages are the same`;
  return [line, `${name}: ${asked}, ${shared}, scores differ by ${difference.toFixed(4)} at most`];
}

/** Shows the progress of a copy, and reports once for each bot what need not be copied. */
class CopyBar {
  readonly #bar: ProgressBar;
  #step = '';

  constructor(bar: ProgressBar) {
    this.#bar = bar;
  }

  update({ bot, phase, done, total, unchanged }: CopyProgress): void {
    const [verb, noun] = phase === 'copy' ? [`${bot}: copying`, 'file'] : [`${bot}: asking`, 'question'];
    if (verb !== this.#step) {
      this.#step = verb;
      if (phase === 'copy' && unchanged > 0) printMessage(`${bot}: ${counted(unchanged, 'file')} there already`);
    }
    this.#bar.update({ verb, noun, done, total });
  }
}
