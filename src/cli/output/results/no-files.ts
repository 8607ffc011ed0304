import path from 'node:path';
import type { EngineStatus } from '../../../index.js';
import { fromHere } from '../from-here.js';

/** What to do before anything is indexed. */
export function noFiles(bot: string): string {
  return `Bot "${bot}" has no files. Index some with: waymark index <folder>`;
}

/** What to do if no indexed file is in the places that were given. */
export function noMatchingFiles(places: readonly string[], { folders, base }: EngineStatus): string {
  const paths = folders.flatMap(({ folder }) => (folder === null ? [] : [fromHere(path.resolve(base, folder))]));
  const indexed = paths.map((shown) => (shown === '.' ? 'this folder' : shown));
  const inside = indexed.length > 0 ? ` in ${indexed.join(' or ')}` : '';
  const given = places.map((place) => JSON.stringify(place)).join(' or ');
  return `No indexed file matches ${given}. Pass a file, a folder or a glob such as "**/*.md"${inside}.`;
}
