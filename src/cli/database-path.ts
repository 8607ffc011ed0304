import { existsSync } from 'node:fs';
import path from 'node:path';

/** The default place of a database, relative to the folder that it serves. */
export const DATABASE = path.join('.waymark', 'waymark.db');

/**
 * The database in this folder or its nearest ancestor, as git finds its repository. If there is none, the path at which
 * to create one in `start`.
 */
export function nearestDatabase(start: string): string {
  for (let folder = start; ; folder = path.dirname(folder)) {
    const file = path.join(folder, DATABASE);
    if (existsSync(file)) return file;
    if (folder === path.dirname(folder)) return path.join(start, DATABASE);
  }
}

/** The absolute path of an indexed folder, which the database knows relative to its own. */
export function absoluteFolder(folder: string, database: string): string {
  return path.resolve(path.dirname(database), folder);
}
