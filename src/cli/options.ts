import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type EngineOptions,
  type Host,
  type IndexKind,
  openEngine,
  openHost,
  type SearchEngine,
  type TagFilter,
} from '../index.js';

/** Options that every command takes. */
export interface IndexOptions {
  readonly database?: string;
  readonly bot?: string;
  readonly model?: string;
  readonly index?: IndexKind;
  readonly json?: true;
}

/** Where an index is unless told otherwise, from the folder that it is for. */
export const DATABASE = path.join('.waymark', 'waymark.db');

export function withDatabase(command: Command): Command {
  return command
    .option('--database <file>', `the index (default: ${DATABASE} here or in a folder above)`)
    .option('--json', 'print JSON for programs');
}

export function withIndexOptions(command: Command): Command {
  return withDatabase(command)
    .option('--bot <name>', 'whose files (default: "default")')
    .option('--model <model>', 'a model folder or hub id (default: the bundled bge-small-en-v1.5)')
    .addOption(new Option('--index <kind>', 'how vectors are searched').choices(['auto', 'exact', 'hnsw']));
}

/** The engine that the options name; `create` says whether a missing index is made. */
export function openFor(
  options: IndexOptions,
  { create, processes }: Pick<EngineOptions, 'create' | 'processes'>,
): Promise<SearchEngine> {
  return openEngine({ ...engineOptions(options), create, processes });
}

/** What the options say of an engine. */
export function engineOptions(options: IndexOptions): EngineOptions {
  const { database = nearestDatabase(process.cwd()), bot, model, index } = options;
  const onWarning = (message: string) => process.stderr.write(`${message}\n`);
  return { database, bot, model, index, onWarning };
}

/** All bots of the database that the options name. */
export function openHostFor(
  { database = nearestDatabase(process.cwd()), model, index }: IndexOptions,
  { create }: { create: boolean },
): Promise<Host> {
  const onWarning = (message: string) => process.stderr.write(`${message}\n`);
  return openHost({ database, create, model, index, onWarning });
}

/** The index in this folder or the nearest above, as git finds its repository; where there is none, the one to be made. */
export function nearestDatabase(start: string): string {
  for (let folder = start; ; folder = path.dirname(folder)) {
    const file = path.join(folder, DATABASE);
    if (existsSync(file)) return file;
    if (folder === path.dirname(folder)) return path.join(start, DATABASE);
  }
}

/** A whole number as such; anything else as it stands, so that the engine says what it must be. */
export function wholeNumber(text: string): number {
  return /^-?\d+$/.test(text) ? Number(text) : (text as unknown as number);
}

/** A number as such; anything else as it stands, so that the engine says what it must be. */
export function number(text: string): number {
  return /^-?\d*\.?\d+$/.test(text) ? Number(text) : (text as unknown as number);
}

/** A value of an option that may be repeated. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** `--tag k=v` for files that get the tag. */
export function collectTag(text: string, tags: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Write it as name=value.');
  return { ...tags, [name]: value };
}

/** `--tag k=v` for files that have the tag, `k!=v` for those that have not; `k` twice for either value. */
export function collectFilter(text: string, filter: TagFilter = {}): TagFilter {
  const [, name, not, value] = /^([^=]+?)(!?)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined || name === '!') {
    throw new InvalidArgumentError('Write it as name=value or name!=value.');
  }
  const before = filter[name];
  if (before !== undefined && (not === '!') !== isExclusion(before)) {
    throw new InvalidArgumentError(`Ask of "${name}" either what it is or what it is not.`);
  }
  const values = [...valuesOf(before), value];
  return { ...filter, [name]: not ? { not: values } : values };
}

function isExclusion(wanted: TagFilter[string]): wanted is { readonly not: string | readonly string[] } {
  return typeof wanted === 'object' && 'not' in wanted;
}

function valuesOf(wanted: TagFilter[string] | undefined): string[] {
  if (wanted === undefined) return [];
  return [isExclusion(wanted) ? wanted.not : wanted].flat();
}
