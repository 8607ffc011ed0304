import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { embed } from '../../bench/embed/benchmark.js';
import { memory } from '../../bench/memory/benchmark.js';
import { open } from '../../bench/open/benchmark.js';
import { peers } from '../../bench/peers/benchmark.js';
import { quality } from '../../bench/quality/benchmark.js';
import { type Benchmark, commandOf, defineBenchmark, flag, option } from '../../bench/support/cli/benchmark.js';
import { oneOf, positiveInteger, sizes, someOf } from '../../bench/support/cli/option-values.js';
import { vectors } from '../../bench/vectors/benchmark.js';
import { folderOf } from '../support/folder.js';

function run<Options>(benchmark: Benchmark<Options>, args: readonly string[]): Promise<unknown> {
  const command = commandOf(benchmark)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return command.parseAsync([...args], { from: 'user' });
}

describe('a wrong argument is rejected with what it must be', () => {
  it.each([
    ['embed', embed, ['--passages', '0'], "'--passages <n>' argument '0' is invalid. It must be a positive integer."],
    ['embed', embed, ['--sizes', '1000,'], "argument '1000,' is invalid. It must be a comma-separated list of"],
    ['embed', embed, ['--folder', '/nowhere'], "argument '/nowhere' is invalid. There is no such folder."],
    ['memory', memory, ['--minutes', '-1'], "argument '-1' is invalid. It must be a number above 0."],
    ['memory', memory, ['--model', 'x'], "argument 'x' is invalid. It must be one of hash, bundled."],
    ['open', open, ['--index', 'flat'], "argument 'flat' is invalid. It must be one of auto, exact, hnsw."],
    ['vectors', vectors, ['--peers', 'faiss'], 'It must be all, none, or some of sqlite-vec,lancedb,usearch,orama,'],
    ['peers', peers, ['--chunk-size', '0'], "argument '0' is invalid. It must be a positive integer."],
    ['peers', peers, ['corpus', 'corpus'], 'too many arguments'],
    ['quality', quality, ['/nowhere'], 'There is no folder /nowhere. Specify the folder of a collection.'],
    ['quality', quality, ['--bogus'], "unknown option '--bogus'"],
    ['quality', quality, ['--against', '/nowhere.json'], 'There is no result /nowhere.json.'],
    ['quality', quality, ['--against', 'package.json'], 'package.json is not a result of the quality benchmark.'],
    [
      'quality',
      quality,
      ['--ablations', '--index', 'hnsw'],
      "option '--ablations' cannot be used with option '--index <kind>'",
    ],
  ] as const)('%s: %#', async (_, benchmark, args, message) => {
    await expect(run(benchmark as Benchmark<unknown>, args)).rejects.toThrow(message);
  });
});

describe('option values', () => {
  it('read sizes in ascending order without duplicates', () => {
    expect(sizes('10000, 1000,10000')).toEqual([1000, 10_000]);
    for (const text of ['', '0', '1e3', '1000,', '-5', 'many']) expect(() => sizes(text)).toThrow('It must be');
  });

  it('read names', () => {
    expect(oneOf('exact', 'hnsw')('hnsw')).toBe('hnsw');
    expect(someOf(['a', 'b'])('all')).toEqual(['a', 'b']);
    expect(someOf(['a', 'b'])('none')).toEqual([]);
    expect(someOf(['a', 'b'])('b')).toEqual(['b']);
  });
});

describe('a benchmark', () => {
  const received: object[] = [];
  const echo = defineBenchmark({
    name: 'echo',
    summary: 'Returns its options.',
    options: {
      limitQueries: option('<n>', 'queries', { parse: positiveInteger, default: '20' }),
      fresh: flag('start again'),
    },
    run: async (options) => {
      received.push(options);
      return { report: 'report\n', result: { rows: [1, 2], options }, itemPerLine: 'rows', chart: '<svg/>' };
    },
  });

  it('receives its options parsed, prints its report, and writes its result and chart', async () => {
    const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const logged = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const file = path.join(folderOf(), 'results', 'echo.json');
    try {
      await run(echo, ['--json', file]);
      await run(echo, ['--limit-queries', '5', '--fresh', '--json', file]);
      expect(printed.mock.calls).toEqual([['report\n'], ['report\n']]);
      expect(logged.mock.calls.at(-1)).toEqual([`Wrote ${file} and ${file.replace('.json', '.svg')}\n`]);
    } finally {
      printed.mockRestore();
      logged.mockRestore();
    }
    expect(received).toEqual([{ limitQueries: 20 }, { limitQueries: 5, fresh: true }]);
    const json = readFileSync(file, 'utf8');
    expect(JSON.parse(json)).toMatchObject({ date: expect.any(String), versions: {}, rows: [1, 2] });
    expect(json).toContain('"rows": [\n1,\n2\n]');
    expect(readFileSync(file.replace('.json', '.svg'), 'utf8')).toBe('<svg/>');
  });
});
