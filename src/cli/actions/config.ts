import path from 'node:path';
import type { Command } from 'commander';
import { textTable } from '../../evaluation/index.js';
import { configurationFile, nearestDatabase } from '../database-path.js';
import { SUCCESS } from '../exit-codes.js';
import { fromHere } from '../output/from-here.js';
import { print } from '../output/print.js';
import { configurationOf, PLACE_VARIABLES, SETTINGS } from '../settings.js';
import type { BotFilesOptions } from './open.js';

/** `waymark config` */
export async function config(options: BotFilesOptions, command: Command): Promise<number> {
  const database = options.database ?? nearestDatabase(process.cwd());
  const file = configurationFile(database);
  const configuration = await configurationOf(database);
  const lineOf = (name: string) => `${file && fromHere(file)}:${configuration?.lines[name]}`;
  const sourceOf = (name: string, variable: string) => {
    const source = command.getOptionValueSource(name);
    if (source === 'config') return lineOf(name);
    return source === 'env' ? variable : source && 'option';
  };
  const settings = SETTINGS.map(({ name, variable, fallback }) => ({
    name,
    value: command.getOptionValue(name),
    source: sourceOf(name, variable) ?? 'default',
    fallback,
  }));
  const { cluster } = options;
  const kind = cluster === undefined ? 'database' : 'cluster';
  const source = sourceOf(kind, PLACE_VARIABLES[kind]) ?? 'nearest folder';
  const place = { value: cluster ?? path.resolve(database), source };
  const folders =
    configuration?.folders.map((folder) => ({ ...folder, source: lineOf(`folders.${folder.name}`) })) ?? [];
  const first = [kind, cluster ?? fromHere(database), source];
  const rows = [
    ...settings.map(({ name, value, source, fallback }) => [name, String(value ?? fallback), source]),
    ...folders.map(({ name, folder, source }) => [`folder ${name}`, fromHere(folder), source]),
  ];
  const lines = textTable(first, { rows, left: 3 }).trimEnd().split('\n');
  // A value that nothing sets is null.
  const shown = settings.map(({ name, value = null, source }) => ({ name, value, source }));
  print({ [kind]: place, settings: shown, folders }, { json: options.json, lines });
  return SUCCESS;
}
