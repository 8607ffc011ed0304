import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PACKAGE_ROOT } from '../folders/paths.js';

/** Built code that decides what an index contains: how files are cut into passages and terms, and the schema. */
const PARTS = {
  parsing: { folders: ['formats', 'text'], files: /\.js$/ },
  schema: { folders: ['sqlite'], files: /migrations?\.js$/ },
};

/** Hash of built code. A cached index that other code made must not be measured. */
export function codeHash(part: keyof typeof PARTS): string {
  const { folders, files } = PARTS[part];
  return folders.map((folder) => filesHash(path.join(PACKAGE_ROOT, 'dist', folder), files)).join('-');
}

/** Hash of the contents of the files in a folder whose names match. */
export function filesHash(folder: string, files: RegExp): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => files.test(name));
  if (names.length === 0) throw new Error(`No file of ${folder} matches ${files}.`);
  const hash = createHash('sha256');
  for (const name of names.sort()) hash.update(readFileSync(path.join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}
