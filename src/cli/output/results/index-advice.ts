import path from 'node:path';
import type { EngineStatus } from '../../../index.js';
import { type BotPlace, commandFor } from '../../storage-place.js';
import { fromHere } from '../from-here.js';

/** What to do before anything is indexed. */
export function noFiles({ bot }: EngineStatus, botPlace: BotPlace): string {
  return `Bot "${bot.name}" has no files. Index some with: ${commandFor(botPlace, 'index <folder>')}`;
}

/** What to do while some passages are not embedded. */
export function finishWith(botPlace: BotPlace): string {
  return `Finish with: ${commandFor(botPlace, 'index')}`;
}

/** What to do if no indexed file is in the places that were given. */
export function noMatchingFiles(places: readonly string[], { folders, base }: EngineStatus): string {
  const paths = folders.flatMap(({ folder }) => (folder === null ? [] : [fromHere(path.resolve(base, folder))]));
  const indexed = paths.map((shown) => (shown === '.' ? 'this folder' : shown));
  const inside = indexed.length > 0 ? ` in ${indexed.join(' or ')}` : '';
  const given = places.map((place) => JSON.stringify(place)).join(' or ');
  return `No indexed file matches ${given}. Pass a file, a folder or a glob such as "**/*.md"${inside}.`;
}
