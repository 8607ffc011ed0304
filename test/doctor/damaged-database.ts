import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createHashEmbedder, type Examination, type ExamineOptions, examine, openEngine } from 'waymark';
import type { Connection } from '#src/sqlite/connection/connection.js';
import { openConnection } from '#src/sqlite/connection/open-connection.js';
import { folderOf } from '../support/folder.js';

export const REPAIR = 'waymark doctor --repair';

/** The row number of a file, in SQL. */
export const fileOf = (key: string) => `(SELECT number FROM files WHERE key = '${key}')`;

/** The row number of the embedding of passage 1 of keys.md, in SQL. */
export const EMBEDDING = `(SELECT embedding FROM passages WHERE file = ${fileOf('keys.md')} AND position = 1)`;

const QUERIES = ['rotate the keys', 'oil the locks', 'read the logs', 'what programs say', 'padlock'];

const DOCS = {
  'docs/keys.md': '# Keys\n\nRotate the keys.\n\n## Locks\n\nOil the locks and the padlock.\n',
  'docs/logs.md': '---\nkind: log\n---\n# Logs\n\nRead the logs.\n\n## Rotation\n\nRotate the logs too.\n',
};

/** The index that every test gets a copy of: creating it takes a third of a test. */
let template: Uint8Array | undefined;

/** A closed index of two files of a folder and a text that came from no folder, with an HNSW snapshot. */
export async function indexed(): Promise<string> {
  if (template) return path.join(folderOf({ ...DOCS, 'waymark.db': template }), 'waymark.db');
  const folder = folderOf(DOCS);
  const database = path.join(folder, 'waymark.db');
  const engine = await openEngine({ database, model: createHashEmbedder(), index: 'hnsw' });
  await engine.indexFolder(path.join(folder, 'docs'), { tags: { shelf: 'a' } });
  await engine.indexFile('given.md', '# Given\n\nThis is what programs say.\n');
  await engine.close();
  template = readFileSync(database);
  return database;
}

/** Changes rows of a database in ways that Waymark never does. */
export function damage(file: string, change: string | ((connection: Connection) => unknown)): void {
  const connection = openConnection(file, { create: false });
  connection.unsafely(() => {
    connection.pragma('foreign_keys = OFF');
    if (typeof change === 'string') connection.exec(change);
    else change(connection);
  });
  connection.close();
}

/** Replaces bytes of a database file, which must occur once. */
export function replaceBytes(file: string, before: Uint8Array, after: Uint8Array): void {
  const bytes = readFileSync(file);
  const at = bytes.indexOf(before);
  if (at < 0 || bytes.indexOf(before, at + 1) >= 0) throw new Error('the bytes do not occur once');
  bytes.set(after, at);
  writeFileSync(file, bytes);
}

/** Flips a bit of a blob. */
export function flip(
  connection: Connection,
  { table, column, where, byte }: { table: string; column: string; where: string; byte: number },
): void {
  const select = connection.prepare<[], Buffer>(`SELECT ${column} FROM ${table} WHERE ${where}`).pluck();
  const bytes = Buffer.from(select.get() ?? []);
  bytes[byte] = (bytes[byte] ?? 0) ^ 4;
  connection.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).run(bytes);
}

export function examined(database: string, options: Partial<ExamineOptions> = {}): Promise<Examination> {
  return examine({ database, model: createHashEmbedder(), ...options });
}

/** The findings that are not `ok`, a line each. */
export function complaints({ findings }: Examination): string[] {
  return findings
    .filter(({ state }) => state !== 'ok')
    .map(({ check, state, message, remedy }) => `${check} ${state}: ${message} Next: ${remedy}`);
}

let undamaged: Promise<unknown[]> | undefined;

/** The answers of an undamaged index. */
export function answersBefore(): Promise<unknown[]> {
  undamaged ??= indexed().then(answers);
  return undamaged;
}

/** The answers of an index to all queries, without ids and times. */
export async function answers(database: string): Promise<unknown[]> {
  const engine = await openEngine({ database, model: createHashEmbedder(), create: false, index: 'hnsw' });
  try {
    const all = [];
    for (const query of QUERIES) {
      for (const mode of ['dense', 'lexical', 'hybrid'] as const) {
        const { passages } = await engine.searchFiles({ query, mode, positions: true });
        all.push(passages.map(({ content, score, meta, file }) => ({ content, score, meta, ...plain(file) })));
      }
    }
    return all;
  } finally {
    await engine.close();
  }
}

function plain({
  key,
  metadata,
  tags,
  contentType,
}: {
  key: string;
  metadata: object;
  tags: object;
  contentType: string;
}) {
  return { key, metadata, tags, contentType };
}
