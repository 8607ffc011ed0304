import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createHashEmbedder, type Examination, type ExamineOptions, examine, openEngine } from 'waymark';
import { type Database, openDatabase } from '#src/sqlite/connection/database.js';
import { folderOf } from '../support/folder.js';

const QUERIES = ['rotate the keys', 'oil the locks', 'read the logs', 'what programs say', 'padlock'];

const DOCS = {
  'docs/keys.md': '# Keys\n\nRotate the keys.\n\n## Locks\n\nOil the locks and the padlock.\n',
  'docs/logs.md': '---\nkind: log\n---\n# Logs\n\nRead the logs.\n\n## Rotation\n\nRotate the logs too.\n',
};

/** The bytes of the index that every test has a copy of: made once a test file, which takes a third of a test. */
let made: Uint8Array | undefined;

/** Two files of a folder and a text that was given, with an HNSW snapshot; closed. */
export async function indexed(): Promise<string> {
  if (made) return path.join(folderOf({ ...DOCS, 'waymark.db': made }), 'waymark.db');
  const folder = folderOf(DOCS);
  const database = path.join(folder, 'waymark.db');
  const engine = await openEngine({ database, model: createHashEmbedder(), index: 'hnsw' });
  await engine.indexFolder(path.join(folder, 'docs'), { tags: { shelf: 'a' } });
  await engine.indexFile('given.md', '# Given\n\nThis is what programs say.\n');
  await engine.close();
  made = readFileSync(database);
  return database;
}

/** Changes a database by its rows, as no part of Waymark would. */
export function damage(file: string, change: string | ((database: Database) => unknown)): void {
  const database = openDatabase(file, { create: false });
  database.unsafeMode(true);
  database.pragma('foreign_keys = OFF');
  if (typeof change === 'string') database.exec(change);
  else change(database);
  database.close();
}

export function examined(database: string, options: Partial<ExamineOptions> = {}): Promise<Examination> {
  return examine({ database, model: createHashEmbedder(), ...options });
}

/** What is not well: check, state, message and next step of each. */
export function complaints({ findings }: Examination): string[] {
  return findings
    .filter(({ state }) => state !== 'ok')
    .map(({ check, state, message, remedy }) => `${check} ${state}: ${message} Next: ${remedy}`);
}

let sound: Promise<unknown[]> | undefined;

/** What the index answers that nothing has happened to. */
export function answersBefore(): Promise<unknown[]> {
  sound ??= indexed().then(answers);
  return sound;
}

/** What an index answers, with nothing that a new index would have otherwise. */
export async function answers(database: string): Promise<unknown[]> {
  const engine = await openEngine({ database, model: createHashEmbedder(), create: false, index: 'hnsw' });
  try {
    const all = [];
    for (const query of QUERIES) {
      for (const mode of ['dense', 'lexical', 'hybrid'] as const) {
        const { passages } = await engine.searchFiles({ query }, { mode, positions: true });
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
