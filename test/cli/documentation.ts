import path from 'node:path';
import { type Outcome, waymark } from '../support/command.js';
import { folderOf } from '../support/folder.js';

/** Two documents: one has a space in its path, and tags. */
export const DOCS = {
  'docs/backup.md':
    '# Backups\n\nA copy is made every night.\n\n## Restore\n\nStop the service. Put the copy in place.\n',
  'docs/my notes/users.md': '---\ntags: { audience: admin }\n---\n\n# Users\n\nSend a colleague a link by e-mail.\n',
};

/** A new folder whose `docs` are indexed with the command line. */
export async function createIndexedFolder(files: Readonly<Record<string, string>> = DOCS): Promise<string> {
  const folder = folderOf(files);
  const { code, stderr } = await waymark(['index', 'docs'], { cwd: folder });
  if (code !== 0) throw new Error(stderr);
  return folder;
}

/** Runs commands in sequence in one folder. */
export async function runInSequence(cwd: string, commands: readonly (readonly string[])[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const args of commands) outcomes.push(await waymark(args, { cwd }));
  return outcomes;
}

/** Runs commands concurrently in one folder. */
export function runConcurrently(cwd: string, commands: readonly (readonly string[])[]): Promise<Outcome[]> {
  return Promise.all(commands.map((args) => waymark(args, { cwd })));
}

/** Default database path of a folder. */
export function databasePath(folder: string): string {
  return path.join(folder, '.waymark', 'waymark.db');
}
