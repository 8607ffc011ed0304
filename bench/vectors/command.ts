import path from 'node:path';
import type { Corpus } from '../collections/collection.js';
import { loadCollection } from '../collections/load-collection.js';
import { PACKAGE_ROOT } from '../package-root.js';
import { installPeers, peerVersions } from '../peers/install.js';
import { CACHE, cacheFolderOf, corporaIn } from '../quality/cache.js';
import { origin } from '../report/origin.js';
import { writeResult } from '../report/result-file.js';
import { argumentsOf, HELP } from './arguments.js';
import { vectorsChart } from './chart.js';
import { report } from './report.js';
import { SIDES } from './sides/sides.js';
import { measureVectors } from './vectors.js';

/** `npm run bench -- vectors …` Throws `UsageError`. */
export async function vectorsCommand(args: readonly string[]): Promise<void> {
  const { help, peers, queries: count, collection, file, ...options } = argumentsOf(args);
  if (help) {
    process.stdout.write(HELP);
    return;
  }
  const corpora = corporaOf(collection);
  if (peers.length > 0) installPeers();
  const ours = SIDES.flatMap(({ name, whose }) => (whose === 'ours' ? [name] : []));
  const sides = new Set([...ours, ...peers]);
  const started = new Date();
  const onProgress = (line: string) => process.stderr.write(`${line}\n`);
  const result = await measureVectors({ corpora, sides, count, onProgress, ...options });
  process.stdout.write(report(result));
  const whole = { ...origin(started), peers: peerVersions(), ...result };
  const json = `${JSON.stringify(whole, null, 2)}\n`;
  const written = writeResult(file, { json, chart: vectorsChart(result.results) });
  onProgress(`Written to ${written.join(' and ')}`);
}

/** The corpus of this repository, and those of a collection. */
function corporaOf(collection: string | undefined): readonly Corpus[] {
  const own = { name: 'corpus', folder: path.join(PACKAGE_ROOT, 'corpus') };
  if (collection === undefined) return [own];
  const loaded = loadCollection(collection);
  return [own, ...corporaIn(cacheFolderOf(loaded, { model: undefined, root: CACHE }), loaded)];
}
