import type { IndexFolderResult, SearchEngine, Tags } from '../index.js';
import { FAILURE, RESULTS } from './exit-code.js';
import { type IndexOptions, openFor } from './options.js';
import { ProgressBar } from './progress.js';

export interface IndexCommandOptions extends IndexOptions {
  readonly ignore?: readonly string[];
  readonly tag?: Tags;
}

/** `waymark index <folder>` */
export async function indexCommand(folder: string, options: IndexCommandOptions): Promise<number> {
  const engine = await openFor(options, { create: true });
  try {
    const result = await indexWithBar(engine, folder, options);
    report(result);
    if (options.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    else process.stdout.write(`${summary(result)}\n`);
    return result.failed.length > 0 ? FAILURE : RESULTS;
  } finally {
    await engine.close();
  }
}

/** Indexes with a progress bar; Ctrl-C stops it where the next run goes on. */
export async function indexWithBar(
  engine: SearchEngine,
  folder: string,
  { ignore, tag }: Pick<IndexCommandOptions, 'ignore' | 'tag'>,
): Promise<IndexFolderResult> {
  const bar = new ProgressBar();
  const stopping = new AbortController();
  const onInterrupt = () => stopping.abort(new Error('interrupted'));
  process.once('SIGINT', onInterrupt);
  try {
    return await engine.indexFolder(folder, {
      ignore,
      tags: tag,
      signal: stopping.signal,
      onProgress: (progress) => bar.update(progress),
    });
  } finally {
    bar.stop();
    process.off('SIGINT', onInterrupt);
  }
}

function report({ failed, warnings }: IndexFolderResult): void {
  for (const { key, reason } of warnings) process.stderr.write(`${key}: ${reason}\n`);
  for (const { key, reason } of failed) process.stderr.write(`${key} was not indexed: ${reason}\n`);
}

function summary(result: IndexFolderResult): string {
  const parts = (['added', 'updated', 'moved', 'removed', 'unchanged'] as const)
    .filter((outcome) => result[outcome] > 0)
    .map((outcome) => `${result[outcome]} ${outcome}`);
  if (result.failed.length > 0) parts.push(`${result.failed.length} failed`);
  return parts.length > 0 ? `Files: ${parts.join(', ')}.` : 'No markdown files there.';
}
