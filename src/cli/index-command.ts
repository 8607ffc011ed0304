import { statSync } from 'node:fs';
import path from 'node:path';
import {
  type IndexFolderOptions,
  type IndexFolderResult,
  type ReembedResult,
  reembed,
  type SearchEngine,
  type Tags,
  WaymarkError,
} from '../index.js';
import { FAILURE, NONE, RESULTS } from './exit-code.js';
import { engineOptions, type IndexOptions, openFor } from './options.js';
import { ProgressBar } from './progress.js';

export interface IndexCommandOptions extends IndexOptions {
  readonly reembed?: true;
  readonly ignore?: readonly string[];
  readonly tag?: Tags;
}

/** `waymark index [folder]` */
export async function indexCommand(folder: string | undefined, options: IndexCommandOptions): Promise<number> {
  check(folder, options);
  const reembedded = options.reembed && (await reembedWithBar(options));
  const result = folder === undefined ? undefined : await indexOne(folder, options);
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ ...result, ...(reembedded && { reembedded }) }, null, 2)}\n`);
  } else {
    if (reembedded) process.stdout.write(`${outcomeOf(reembedded)}\n`);
    if (result) process.stdout.write(`${summary(result)}\n`);
  }
  if (result && result.failed.length > 0) return FAILURE;
  const none = result ? isEmpty(result) : reembedded?.files === 0;
  return none ? NONE : RESULTS;
}

async function indexOne(folder: string, options: IndexCommandOptions): Promise<IndexFolderResult> {
  const engine = await openFor(options, { create: true });
  try {
    const result = await indexWithBar(engine, folder, options);
    report(result);
    return result;
  } finally {
    await engine.close();
  }
}

function check(folder: string | undefined, { reembed, ignore, tag }: IndexCommandOptions): void {
  if (folder !== undefined) {
    checkFolder(folder);
  } else if (!reembed) {
    const message = 'Name the folder to index, or have what is indexed embedded anew with --reembed.';
    throw new WaymarkError('INVALID_ARGUMENT', message);
  } else if (ignore || tag) {
    throw new WaymarkError('INVALID_ARGUMENT', '--ignore and --tag are for the files of a folder: name it, too.');
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
export function indexWithBar(
  engine: SearchEngine,
  folder: string,
  { ignore, tag }: Pick<IndexCommandOptions, 'ignore' | 'tag'>,
): Promise<IndexFolderResult> {
  return withBar((progress) => engine.indexFolder(folder, { ignore, tags: tag, ...progress }));
}

function reembedWithBar(options: IndexOptions): Promise<ReembedResult> {
  return withBar((progress) => reembed({ ...engineOptions(options), ...progress }));
}

async function withBar<T>(
  work: (progress: Required<Pick<IndexFolderOptions, 'signal' | 'onProgress'>>) => Promise<T>,
): Promise<T> {
  const bar = new ProgressBar();
  const stopping = new AbortController();
  const onInterrupt = () => stopping.abort(new Error('interrupted'));
  process.once('SIGINT', onInterrupt);
  try {
    return await work({ signal: stopping.signal, onProgress: (progress) => bar.update(progress) });
  } finally {
    bar.stop();
    process.off('SIGINT', onInterrupt);
  }
}

function outcomeOf({ changed, model, files, passages }: ReembedResult): string {
  if (files === 0) return 'There are no files to embed anew.';
  if (!changed) return `All files are embedded with ${model} already.`;
  const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  return `Embedded anew with ${model}: ${counted(files, 'file')}, ${counted(passages, 'passage')}.`;
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
