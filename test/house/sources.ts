import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Source {
  /** Path from the repository's root, with forward slashes. */
  readonly file: string;
  readonly text: string;
}

/** The TypeScript files below a folder of the repository. */
export function sourcesIn(folder: string): Source[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .map((file) => ({
      file: `${folder}/${file.split(path.sep).join('/')}`,
      text: readFileSync(path.join(ROOT, folder, file), 'utf8'),
    }));
}
