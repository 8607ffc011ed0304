import { statSync } from 'node:fs';
import path from 'node:path';
import { type IndexFolderResult, type SearchEngine, type Tags, WaymarkError } from '../index.js';
import { FAILURE, NONE, RESULTS } from './exit-code.js';
import { type IndexOptions, openFor } from './options.js';
import { ProgressBar } from './progress.js';

export interface IndexCommandOptions extends IndexOptions {
  readonly ignore?: readonly string[];
  readonly tag?: Tags;
}

/** `waymark index <folder>` */
export async function indexCommand(folder: string, options: IndexCommandOptions): Promise<number> {
  checkFolder(folder);
  const engine = await openFor(options, { create: true });
  try {
    const result = await indexWithBar(engine, folder, options);
    report(result);
    if (options.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    else process.stdout.write(`${summary(result)}\n`);
    if (result.failed.length > 0) return FAILURE;
    return isEmpty(result) ? NONE : RESULTS;
  } finally {
    await engine.close();
  }
}

/** The engine would say the same, but only when a database has been made for it. */
function checkFolder(folder: string): void {
  const place = path.resolve(folder);
  const found = statSync(place, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  const message = found
    ? `${place} is a file: give the folder that it is in.`
    : `No folder at ${place}: give one of markdown.`;
  throw new WaymarkError('FOLDER_MISSING', message);
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

const OUTCOMES = ['added', 'updated', 'moved', 'removed', 'unchanged'] as const;

function isEmpty(result: IndexFolderResult): boolean {
  return OUTCOMES.every((outcome) => result[outcome] === 0);
}

function summary(result: IndexFolderResult): string {
  const parts = OUTCOMES.filter((outcome) => result[outcome] > 0).map((outcome) => `${result[outcome]} ${outcome}`);
  if (result.failed.length > 0) parts.push(`${result.failed.length} failed`);
  return parts.length > 0 ? `Files: ${parts.join(', ')}.` : 'No markdown files (.md, .markdown, .mdx) there.';
}
