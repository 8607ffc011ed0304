import { describe, expect, it } from 'vitest';
import { qualityCommand } from '../../bench/quality/command.js';
import { UsageError } from '../../bench/usage-error.js';

describe('arguments that are wrong are told in one sentence', () => {
  it.each([
    ['two collections', ['a', 'b'], 'Give the folder of one collection.'],
    ['a folder that is not there', ['/nowhere'], 'No folder at /nowhere: give the folder of a collection.'],
    ['an option that there is not', ['a', '--bogus'], "Unknown option '--bogus': quality --help tells the options."],
    ['an index of no kind', ['a', '--index', 'flat'], '--index must be exact or hnsw; it is flat.'],
    ['a number that is none', ['a', '--limit-queries', '0'], '--limit-queries must be a whole number from 1; it is 0.'],
    ['a result that is not there', ['a', '--against', '/nowhere.json'], 'No result at /nowhere.json.'],
    [
      'a result that is none',
      ['a', '--against', 'package.json'],
      'package.json is no result of the quality benchmark.',
    ],
    [
      'ablations with a kind of index',
      ['a', '--ablations', '--index', 'hnsw'],
      '--ablations measures both kinds of index and compares by itself: leave out --index and --against.',
    ],
  ])('%s', async (_, args, message) => {
    await expect(qualityCommand(args)).rejects.toThrow(new UsageError(message));
  });
});
