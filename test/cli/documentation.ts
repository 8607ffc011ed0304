import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { waymark } from '../support/command.js';
import { folderOf, writeFiles } from '../support/folder.js';

/** Two documents: one has a space in its path, and tags. */
export const DOCS = {
  'docs/backup.md':
    '# Backups\n\nA copy is made every night.\n\n## Restore\n\nStop the service. Put the copy in place.\n',
  'docs/my notes/users.md': '---\ntags: { audience: admin }\n---\n\n# Users\n\nSend a colleague a link by e-mail.\n',
};

/** What indexing has written, by the files that were indexed: a database is the same for the same files. */
const indexes = new Map<string, Promise<Readonly<Record<string, Uint8Array>>>>();

/** A new folder whose `docs` are indexed with the command line. */
export async function createIndexedFolder(files: Readonly<Record<string, string>> = DOCS): Promise<string> {
  const folder = folderOf(files);
  const key = JSON.stringify(files);
  const index = indexes.get(key) ?? indexOf(files);
  indexes.set(key, index);
  writeFiles(folder, await index);
  return folder;
}

async function indexOf(files: Readonly<Record<string, string>>): Promise<Record<string, Uint8Array>> {
  const folder = folderOf(files);
  const { code, stderr } = await waymark(['index', 'docs'], { cwd: folder });
  if (code !== 0) throw new Error(stderr);
  const names = readdirSync(path.join(folder, '.waymark'));
  return Object.fromEntries(
    names.map((name) => [`.waymark/${name}`, readFileSync(path.join(folder, '.waymark', name))]),
  );
}

/** Default database path of a folder. */
export function databasePath(folder: string): string {
  return path.join(folder, '.waymark', 'waymark.db');
}
