import path from 'node:path';
import { parseArgs } from 'node:util';
import { PACKAGE_ROOT } from '../package-root.js';
import { UsageError } from '../usage-error.js';
import type { IndexKind } from './index-corpus.js';

export const HELP = `Usage: npm run bench -- quality [collection] [options]

A collection is a folder: BEIR (corpus.jsonl, queries.jsonl, qrels.tsv), or queries.jsonl with the lines that answer
and markdown in docs/<corpus>/ or beside it. Default: corpus.

  --ablations          what ships, with one thing at a time done otherwise
  --json <file>        where the result goes, its chart beside it as .svg (default: bench/results/quality-<collection>.json,
                       with -ablations; none with --limit-queries)
  --against <file>     an earlier result: print what changed, query by query
  --limit-queries <n>  n queries only, spread evenly
  --model <model>      a model folder or hub id (default: the bundled one)
  --index <kind>       exact or hnsw (default: exact); hnsw is compared with exact
  --fresh              index anew instead of going on from the last run
`;

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  ablations: { type: 'boolean' },
  json: { type: 'string' },
  against: { type: 'string' },
  'limit-queries': { type: 'string' },
  model: { type: 'string' },
  index: { type: 'string' },
  fresh: { type: 'boolean' },
} as const;

export interface Arguments {
  /** Undefined where help is asked for. */
  readonly folder: string | undefined;
  readonly ablations: boolean;
  /** Where the result goes. */
  readonly file: string | undefined;
  readonly against: string | undefined;
  readonly limitQueries: number | undefined;
  readonly model: string | undefined;
  readonly index: IndexKind;
  readonly fresh: boolean;
}

/** Throws `UsageError`. */
export function argumentsOf(args: readonly string[]): Arguments {
  const { values, positionals } = parse(args);
  const [folder = path.join(PACKAGE_ROOT, 'corpus'), another] = positionals;
  if (another !== undefined) throw new UsageError('Give the folder of one collection.');
  const { help = false, ablations = false, fresh = false, json, against, model, index } = values;
  if (ablations && (index !== undefined || against !== undefined)) {
    throw new UsageError(
      '--ablations measures both kinds of index and compares by itself: leave out --index and --against.',
    );
  }
  return {
    folder: help ? undefined : folder,
    ablations,
    file: json,
    against,
    limitQueries: wholeNumber(values['limit-queries']),
    model,
    index: indexKind(index),
    fresh,
  };
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

function indexKind(name = 'exact'): IndexKind {
  if (name === 'exact' || name === 'hnsw') return name;
  throw new UsageError(`--index must be exact or hnsw; it is ${name}.`);
}

function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UsageError(`--limit-queries must be a whole number from 1; it is ${text}.`);
}
