import { setTimeout } from 'node:timers/promises';
import { worthShowing } from '../../../http/worth-showing.js';
import { type SearchEngine, type SearchFilesRequest, WaymarkError } from '../../../index.js';
import { printable } from '../../output/printable.js';
import { headingsOf, placeOf, type Result } from '../../output/results/result.js';
import { movesCursor } from '../../output/terminal.js';
import { type FindOptions, find } from './find.js';

/** Milliseconds without a key before what was typed is searched for. */
const PAUSE = 150;

/**
 * Shows results as a person types, and returns the one that is chosen; undefined for Ctrl-C. Throws `INVALID_ARGUMENT`
 * where there is no terminal.
 */
export async function pick(
  engine: SearchEngine,
  { request, ...options }: { readonly request: SearchFilesRequest } & Pick<FindOptions, 'botPlace' | 'places'>,
): Promise<Result | undefined> {
  if (!process.stdin.isTTY || !movesCursor(process.stderr)) {
    const message = '--interactive needs a terminal: leave it out, and pass a question.';
    throw new WaymarkError('INVALID_ARGUMENT', message);
  }
  const { default: prompt } = await import('@inquirer/search');
  const source = async (typed: string | undefined, { signal }: { signal: AbortSignal }) => {
    await setTimeout(PAUSE, undefined, { signal });
    const query = typed?.trim() || request.query;
    if (query === '') return [];
    const { results } = await find(engine, { ...request, query }, options);
    return worthShowing(results, request).map((result) => ({
      name: printable(`${placeOf(result)}  ${result.score.toFixed(2)}`),
      description: printable(`${headingsOf(result)}: ${result.content.replace(/\s+/g, ' ')}`.slice(0, 300)),
      value: result,
    }));
  };
  try {
    // stdout is for what is chosen.
    return await prompt({ message: 'Search', source, pageSize: 10 }, { output: process.stderr });
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') return undefined;
    throw error;
  }
}
