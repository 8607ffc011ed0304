import { realpathSync } from 'node:fs';
import { type KnownFolder, literalGlob, type SearchEngine } from '../../../index.js';
import { fromHere } from '../../output/from-here.js';
import { shellWord } from '../../output/shell-word.js';
import { commandFor } from '../../storage-place.js';
import type { BotFilesOptions } from '../open.js';
import { pathWithin } from './within.js';

/**
 * A sentence if indexing a new folder will change the keys of files that are already indexed, such as those of the
 * folder around it. Call it before indexing, with the folders from before the new one was added.
 */
export async function keyChangeNotes(
  engine: Pick<SearchEngine, 'keys'>,
  { path: place, name }: Pick<KnownFolder, 'path' | 'name'>,
  known: readonly KnownFolder[],
): Promise<string[]> {
  const outer = outerOf(place, known);
  if (!outer || known.some((folder) => folder.path === place)) return [];
  const [before, after] = [`${prefixOf(outer.name)}${pathWithin(place, outer.path)}/`, prefixOf(name)];
  if (before === after || (await engine.keys(`./${literalGlob(before)}**`)).length === 0) return [];
  const change = `their keys changed from "${before}…" to "${after}…"`;
  return [`The files of ${fromHere(place)} no longer belong to ${fromHere(outer.path)} around it: ${change}.`];
}

/** What may be unexpected about an indexed folder: patterns that it keeps, files that belong to other folders. */
export async function notesOn(
  engine: Pick<SearchEngine, 'listFolders'>,
  given: string,
  options: BotFilesOptions,
): Promise<readonly string[]> {
  const place = realpathSync.native(given);
  const known = await engine.listFolders();
  const folder = known.find((one) => one.path === place);
  if (!folder) return [];
  const inner = known.filter((one) => outerOf(one.path, known) === folder).map((one) => fromHere(one.path));
  const isEmpty = folder.files === 0 && inner.length > 0;
  return [
    ...ignoreNotes(folder, options),
    ...(isEmpty ? [`Its files belong to folders within: ${inner.join(', ')}.`] : []),
  ];
}

/** A sentence if a folder leaves out files by patterns that it keeps, with how to forget them. */
export function ignoreNotes(
  { ignore, path, name }: KnownFolder,
  { folders: declared = [], ...botPlace }: BotFilesOptions,
): string[] {
  if (ignore.length === 0) return [];
  const here = fromHere(path);
  const isDeclared = declared.some((one) => one.name === name);
  const ending = isDeclared
    ? ', as the configuration file says.'
    : `. To forget its patterns and tags: ${commandFor(botPlace, `index ${shellWord(here)} --reset`)}`;
  return [`Every run leaves out ${ignore.join(' ')} in ${here}${ending}`];
}

/** The innermost known folder around a folder. */
export function outerOf(place: string, known: readonly KnownFolder[]): KnownFolder | undefined {
  return known.filter((one) => pathWithin(place, one.path)).sort((a, b) => b.path.length - a.path.length)[0];
}

function prefixOf(name: string): string {
  return name === '' ? '' : `${name}/`;
}
