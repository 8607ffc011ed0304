import path from 'node:path';
import { parseArgs } from 'node:util';
import { loadCollection } from '../collections/load-collection.js';
import { PACKAGE_ROOT } from '../package-root.js';
import { origin } from '../report/origin.js';
import { jsonOf, writeResult } from '../report/result-file.js';
import { UsageError } from '../usage-error.js';
import { peersChart } from './chart.js';
import { CONTENDERS } from './contenders/contenders.js';
import { installPeers, peerVersions } from './install.js';
import { measurePeers } from './measure.js';
import { report } from './report.js';

const HELP = `Usage: npm run bench -- peers [collection] [options]

The same markdown, model and questions through Waymark and through what is made of other libraries for Node: a splitter
of markdown (@langchain/textsplitters), then @orama/orama or vectra. The peers are installed into bench/peers/packages
when they are first wanted.

  --chunk-size <n>  characters of the peers' chunks at most (default: 800, about what a passage of Waymark has at most;
                    of corpus/ 400 makes as many chunks as Waymark makes passages)
  --json <file>     where the result goes, its chart beside it as .svg (default: bench/results/peers.json)

A collection is a folder with queries.jsonl and markdown in docs/<corpus>/ or beside it. Default: corpus.
`;

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  'chunk-size': { type: 'string', default: '800' },
  json: { type: 'string', default: path.join(PACKAGE_ROOT, 'bench', 'results', 'peers.json') },
} as const;

/** `npm run bench -- peers …` Throws `UsageError`. */
export async function peersCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parse(args);
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const [folder = path.join(PACKAGE_ROOT, 'corpus'), another] = positionals;
  if (another !== undefined) throw new UsageError('Give the folder of one collection.');
  const collection = loadCollection(folder);
  if (collection.format !== 'spans') {
    throw new UsageError(`${folder} tells which documents answer, not which lines: give a collection of spans.`);
  }
  const chunkSize = Number(values['chunk-size']);
  if (!(Number.isInteger(chunkSize) && chunkSize > 0)) {
    throw new UsageError(`--chunk-size must be a whole number from 1; it is ${values['chunk-size']}.`);
  }
  installPeers();
  const started = new Date();
  const onProgress = (line: string) => process.stderr.write(`${line}\n`);
  const measured = await measurePeers(collection, { contenders: CONTENDERS, chunkSize, onProgress });
  process.stdout.write(report(measured));
  const result = { collection: collection.name, ...origin(started), peers: peerVersions(), chunkSize, ...measured };
  const written = writeResult(values.json, {
    json: jsonOf(result, { lines: 'queries' }),
    chart: peersChart(result),
  });
  onProgress(`Written to ${written.join(' and ')}`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw new UsageError(`${sentence}: peers --help tells the options.`);
  }
}
