import path from 'node:path';
import { parseArgs } from 'node:util';
import type { IndexProgress } from 'waymark';
import { loadCollection } from '../collections/collection.js';
import { PACKAGE_ROOT } from '../package-root.js';
import { MODES } from '../ranking/modes.js';
import { origin } from '../report/origin.js';
import { readResult, writeResult } from '../report/result-file.js';
import { reportOf } from '../report/text.js';
import { UsageError } from '../usage-error.js';
import type { IndexKind } from './index-corpus.js';
import { measureQuality } from './quality.js';

const HELP = `Usage: npm run bench -- quality <collection> [options]

A collection is a folder: BEIR (corpus.jsonl, queries.jsonl, qrels.tsv), or queries.jsonl with the lines that answer
and markdown in docs/<corpus>/ or beside it.

  --json <file>        where the result goes (default: bench/results/quality-<collection>.json; none with --limit-queries)
  --against <file>     an earlier result: print what changed, query by query
  --limit-queries <n>  n queries only, spread evenly
  --model <model>      a model folder or hub id (default: the bundled one)
  --index <kind>       exact or hnsw (default: exact); hnsw is compared with exact
  --fresh              index anew instead of going on from the last run
`;

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'string' },
  against: { type: 'string' },
  'limit-queries': { type: 'string' },
  model: { type: 'string' },
  index: { type: 'string', default: 'exact' },
  fresh: { type: 'boolean' },
} as const;

/** `npm run bench -- quality …` Throws `UsageError`. */
export async function qualityCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parse(args);
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const [folder, another] = positionals;
  if (folder === undefined || another !== undefined) throw new UsageError('Give the folder of one collection.');
  const index = indexKind(values.index);
  const limitQueries = wholeNumber(values['limit-queries']);
  const before = values.against === undefined ? undefined : readResult(values.against);
  const collection = loadCollection(folder);
  const { model, fresh } = values;
  const started = new Date();
  const options = { modes: MODES, model, index, limitQueries, fresh, onProgress: progressLine() };
  const { model: id, ...measured } = await measureQuality(collection, options);
  const settings = { index, model: id, limitQueries: limitQueries ?? null };
  const result = { collection: collection.name, ...origin(started), settings, ...measured };
  process.stdout.write(reportOf(result, before));
  const json = values.json ?? (limitQueries === undefined ? defaultFile(collection.name) : undefined);
  if (json === undefined) return;
  writeResult(json, result);
  process.stderr.write(`Written to ${json}\n`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    // Node's own message goes on for several sentences.
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw new UsageError(`${sentence}: quality --help tells the options.`);
  }
}

function indexKind(name: string): IndexKind {
  if (name === 'exact' || name === 'hnsw') return name;
  throw new UsageError(`--index must be exact or hnsw; it is ${name}.`);
}

function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UsageError(`--limit-queries must be a whole number from 1; it is ${text}.`);
}

function defaultFile(name: string): string {
  return path.join(PACKAGE_ROOT, 'bench', 'results', `quality-${name}.json`);
}

/** Writes a line every few seconds. */
function progressLine(): (corpus: string, progress: IndexProgress) => void {
  let next = performance.now() + 3000;
  return (corpus, { phase, files, passages, remaining }) => {
    if (performance.now() < next) return;
    next = performance.now() + 10_000;
    const { done, total } = phase === 'read' ? files : passages;
    const left = remaining === undefined ? '' : `, ${Math.round(remaining)} s left`;
    process.stderr.write(
      `${corpus}: ${done} of ${total} ${phase === 'read' ? 'files read' : 'passages embedded'}${left}\n`,
    );
  };
}
