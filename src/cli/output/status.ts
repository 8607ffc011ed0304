import path from 'node:path';
import { counted, type EngineStatus, type KnownFolder, shownNumber, shownSize, type Tags } from '../../index.js';
import { type BotPlace, commandFor } from '../storage-place.js';
import { fromHere } from './from-here.js';
import { minuteOf } from './time.js';

/** The status of a bot as rows of name and value, followed by the warnings of the last indexing. */
export function describeStatus(status: EngineStatus, botPlace: BotPlace): string[] {
  const { bot, passages, embedded, model, index, reembedding, warnings, nodes = [] } = status;
  const rows: [name: string, value: string][] = [
    status.bytes === undefined
      ? ['cluster', status.database]
      : ['database', `${status.database} (${shownSize(status.bytes)})`],
    ['bot', `${bot.name}, ${bot.deployedAt ? `last indexed ${minuteOf(bot.deployedAt)}` : 'not fully indexed yet'}`],
    ['files', describeFiles(status)],
    [
      'passages',
      embedded === passages ? shownNumber(passages) : `${shownNumber(passages)} (${shownNumber(embedded)} embedded)`,
    ],
    ['model', `${model.id}, ${model.dimensions} dimensions`],
    ['index', index],
  ];
  for (const node of nodes) rows.push(['node', describeNode(node)]);
  if (reembedding) rows.push(['reembed', describeReembedding(reembedding, { total: status.files, botPlace })]);
  return [
    ...rows.map(([name, value]) => `${name.padEnd(9)} ${value}`),
    ...warnings.map(({ key, reason }) => `${key}: ${reason}`),
  ];
}

/** A folder in a list, with its name in a column of a width. */
export function describeFolder(folder: KnownFolder, { width }: { readonly width: number }): string {
  const { name, files, tags, tagRules, ignore } = folder;
  return [
    (name || '-').padEnd(Math.max(1, width)),
    fromHere(folder.path),
    counted(files, 'file'),
    ...describeTags(tags),
    ...tagRules.map((rule) => [[rule.path].flat().join(' '), ...describeTags(rule.tags)].join(': ')),
    ...(ignore.length > 0 ? [`without ${ignore.join(' ')}`] : []),
  ].join('  ');
}

function describeTags(tags: Tags): string[] {
  const described = Object.entries(tags).map(([tag, value]) => `${tag}=${value}`);
  return described.length > 0 ? [described.join(' ')] : [];
}

function describeNode({
  name,
  isHealthy,
  version,
  passages,
  queued,
}: NonNullable<EngineStatus['nodes']>[number]): string {
  if (!isHealthy) return `${name} does not answer`;
  const held = passages === undefined ? 'no replica' : counted(passages, 'passage');
  return [`${name} ${version}`, held, ...(queued > 0 ? [`${queued} to be added to the vector index`] : [])].join(', ');
}

function describeFiles({ base, files, folders }: EngineStatus): string {
  const sources = folders.map(({ folder, files }) =>
    folder === null
      ? `${shownNumber(files)} through the API`
      : `${shownNumber(files)} from ${fromHere(path.resolve(base, folder))}`,
  );
  return sources.length > 1 ? `${shownNumber(files)}: ${sources.join(', ')}` : (sources[0] ?? '0');
}

function describeReembedding(
  { model, files, passages, embedded }: NonNullable<EngineStatus['reembedding']>,
  { total, botPlace }: { readonly total: number; readonly botPlace: BotPlace },
): string {
  const done = `${files} of ${total} files parsed, ${embedded} of their ${passages} passages embedded`;
  return `unfinished, with ${model}: ${done}. If interrupted, resume with: ${commandFor(botPlace, 'index --reembed')}`;
}
