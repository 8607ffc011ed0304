import type { EngineStatus } from '../../../index.js';
import { folderPath } from '../status.js';

export function noFiles(bot: string): string {
  return `Bot "${bot}" has no files. Index some with: waymark index <folder>`;
}

/** What to do if no indexed file is in the places that were given. */
export function noMatchingFiles(places: readonly string[], { folders, base }: EngineStatus): string {
  const paths = folders.flatMap(({ folder }) => (folder === null ? [] : [folderPath(folder, base)]));
  const indexed = paths.map((path) => (path === '.' ? 'this folder' : path));
  const inside = indexed.length > 0 ? ` in ${indexed.join(' or ')}` : '';
  const given = places.map((place) => JSON.stringify(place)).join(' or ');
  return `No indexed file matches ${given}. Pass a file, a folder or a glob such as "**/*.md"${inside}.`;
}
