import path from 'node:path';
import { parseArgs } from 'node:util';
import { PACKAGE_ROOT } from '../package-root.js';
import { UsageError } from '../usage-error.js';
import { SIDES } from './sides/sides.js';

const PEERS = SIDES.flatMap(({ name, whose }) => (whose === 'peer' ? [name] : []));

export const HELP = `Usage: npm run bench -- vectors [options]

Searches for the ten nearest of many vectors: Waymark's indexes, and others for Node. The vectors are the embeddings of
corpus/, repeated with noise. The peers are installed into bench/peers/packages when they are first wanted.

  --sizes <n,n,...>      vectors (default: 100000,300000)
  --peers <names>        all, none, or some of ${PEERS.join(', ')} (default: all)
  --queries <n>          (default: 200)
  --rounds <n>           all sides are asked all queries in turn, so many times (default: 3)
  --slow-limit <n>       most vectors that orama and vectra are given (default: 100000)
  --collection <folder>  embeddings of another collection too
  --json <file>          where the result goes, its chart beside it as .svg (default: bench/results/vectors.json)
`;

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  sizes: { type: 'string', default: '100000,300000' },
  peers: { type: 'string', default: 'all' },
  queries: { type: 'string', default: '200' },
  rounds: { type: 'string', default: '3' },
  'slow-limit': { type: 'string', default: '100000' },
  collection: { type: 'string' },
  json: { type: 'string', default: path.join(PACKAGE_ROOT, 'bench', 'results', 'vectors.json') },
} as const;

export interface Arguments {
  readonly help: boolean;
  /** Ascending. */
  readonly sizes: readonly number[];
  readonly peers: readonly string[];
  readonly queries: number;
  readonly rounds: number;
  readonly slowLimit: number;
  readonly collection: string | undefined;
  readonly file: string;
}

/** Throws `UsageError`. */
export function argumentsOf(args: readonly string[]): Arguments {
  const { help = false, sizes, peers, queries, rounds, collection, json, ...values } = parse(args);
  return {
    help,
    sizes: sizes
      .split(',')
      .map((size) => wholeNumber('--sizes', size))
      .sort((a, b) => a - b),
    peers: peersOf(peers),
    queries: wholeNumber('--queries', queries),
    rounds: wholeNumber('--rounds', rounds),
    slowLimit: wholeNumber('--slow-limit', values['slow-limit']),
    collection,
    file: json,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw new UsageError(`${sentence}: vectors --help tells the options.`);
  }
}

function peersOf(text: string): readonly string[] {
  if (text === 'all') return PEERS;
  if (text === 'none') return [];
  const names = text.split(',');
  const unknown = names.find((name) => !PEERS.includes(name));
  if (unknown === undefined) return names;
  throw new UsageError(`There is no peer "${unknown}": choose of ${PEERS.join(', ')}, or all, or none.`);
}

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UsageError(`${name} must be whole numbers from 1; it is ${text}.`);
}
