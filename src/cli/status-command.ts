import path from 'node:path';
import type { EngineStatus } from '../index.js';
import { NONE, RESULTS } from './exit-code.js';
import { type IndexOptions, openFor } from './options.js';

/** `waymark status` */
export async function statusCommand(options: IndexOptions): Promise<number> {
  const engine = await openFor(options, { create: false });
  try {
    const status = await engine.status();
    process.stdout.write(options.json ? `${JSON.stringify(status, null, 2)}\n` : describe(status));
    return RESULTS;
  } finally {
    await engine.close();
  }
}

/** `waymark remove <key>` */
export async function removeCommand(key: string, options: IndexOptions): Promise<number> {
  const engine = await openFor(options, { create: false });
  try {
    const removed = await engine.removeFile(key);
    if (options.json) process.stdout.write(`${JSON.stringify({ key, removed })}\n`);
    else if (removed) process.stdout.write(`Removed ${key}.\n`);
    if (!removed) process.stderr.write(`No file "${key}" is indexed: keys are paths relative to the indexed folder.\n`);
    return removed ? RESULTS : NONE;
  } finally {
    await engine.close();
  }
}

function describe({
  database,
  bytes,
  bot,
  model,
  files,
  passages,
  embedded,
  index,
  folders,
  warnings,
  reembedding,
}: EngineStatus): string {
  const placeOf = (folder: string) => path.relative('', path.resolve(path.dirname(database), folder)) || '.';
  const places = folders.map(({ folder, files }) => `${files} from ${folder === null ? 'programs' : placeOf(folder)}`);
  const rows = [
    ['database', `${database} (${(bytes / 1e6).toFixed(1)} MB)`],
    [
      'bot',
      `${bot.name}, ${bot.deployedAt ? `last indexed ${minuteOf(bot.deployedAt)}` : 'not indexed completely yet'}`,
    ],
    ['files', places.length > 1 ? `${files}: ${places.join(', ')}` : (places[0] ?? '0')],
    ['passages', embedded === passages ? String(passages) : `${passages}, ${embedded} of them embedded`],
    ['model', `${model.id}, ${model.dimensions} dimensions`],
    ['index', index],
    ...(reembedding ? [['reembed', describeReembedding(reembedding, files)]] : []),
  ];
  const lines = rows.map(([name, value]) => `${name?.padEnd(9)} ${value}\n`);
  return [...lines, ...warnings.map(({ key, reason }) => `${key}: ${reason}\n`)].join('');
}

function describeReembedding(
  { model, files, passages, embedded }: NonNullable<EngineStatus['reembedding']>,
  of: number,
): string {
  const done = `${files} of ${of} files cut, ${embedded} of their ${passages} passages embedded`;
  return `with ${model}, not finished: ${done}; where it was stopped, waymark index --reembed goes on`;
}

/** An ISO 8601 time for a person. */
export function minuteOf(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}
