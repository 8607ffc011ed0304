import path from 'node:path';
import type { Command } from 'commander';
import { configurationFile, nearestDatabase } from '../database-path.js';
import { SUCCESS } from '../exit-codes.js';
import { print } from '../output/print.js';
import { configurationOf, DATABASE_VARIABLE, SETTINGS } from '../settings.js';
import type { BotFilesOptions } from './open.js';

interface ShownSetting {
  readonly name: string;
  /** Null if nothing sets it. */
  readonly value: string | number | boolean | null;
  /** Where the value comes from. */
  readonly source: string;
}

/** What holds for a setting that nothing sets. */
const DEFAULTS = {
  bot: 'default',
  model: "that of the bot's files, or waymark-docs-small-en",
  passageTokens: '192',
  refresh: 'false',
};

/** `waymark config` */
export async function config(options: BotFilesOptions, command: Command): Promise<number> {
  const database = options.database ?? nearestDatabase(process.cwd());
  const file = configurationFile(database);
  const configuration = await configurationOf(database);
  const lineOf = (name: string) => `${file && path.relative('', file)}:${configuration?.lines[name]}`;
  const sourceOf = (name: string, variable: string) => {
    const source = command.getOptionValueSource(name);
    if (source === 'config') return lineOf(name);
    return source === 'env' ? variable : source && 'option';
  };
  const settings: ShownSetting[] = SETTINGS.map(({ name, variable }) => {
    const value: ShownSetting['value'] = command.getOptionValue(name) ?? null;
    return { name, value, source: sourceOf(name, variable) ?? 'default' };
  });
  const place = { value: path.resolve(database), source: sourceOf('database', DATABASE_VARIABLE) ?? 'nearest folder' };
  const folders =
    configuration?.folders.map((folder) => ({ ...folder, source: lineOf(`folders.${folder.name}`) })) ?? [];
  const rows = [
    ['database', path.relative('', database) || '.', place.source],
    ...settings.map(({ name, value, source }) => [
      name,
      String(value ?? DEFAULTS[name as keyof typeof DEFAULTS]),
      source,
    ]),
    ...folders.map(({ name, folder, source }) => [`folder ${name}`, path.relative('', folder) || '.', source]),
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  print({ database: place, settings, folders }, { json: options.json, lines });
  return SUCCESS;
}
