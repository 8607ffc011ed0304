import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { Connection } from '#src/sqlite/connection/connection.js';
import { openConnection } from '#src/sqlite/connection/open-connection.js';
import { folderOf } from '../../support/folder.js';

function opened(): { file: string; connection: Connection } {
  const file = path.join(folderOf(), 'waymark.db');
  const connection = openConnection(file, { create: true });
  onTestFinished(() => connection.close());
  return { file, connection };
}

const bot = `INSERT INTO workspaces (id, name, created_at) VALUES ('a', 'a', '')`;

const SOUND: readonly (readonly [string, string, (connection: Connection) => unknown])[] = [
  ['DATABASE_FAILED', 'an error in a statement', (connection) => connection.exec('SELECT nothing FROM files')],
  ['DATABASE_FAILED', 'JSON that cannot be read', (connection) => connection.exec(`SELECT * FROM json_each('{')`)],
  ['DATABASE_CONFLICT', 'a constraint', (connection) => connection.exec(`${bot}; ${bot}`)],
  [
    'INPUT_TOO_LARGE',
    'too many parameters',
    (connection) => connection.prepare(`SELECT ${Array(40_000).fill('?').join()}`).all(),
  ],
  [
    'INPUT_TOO_LARGE',
    'too deep an expression',
    (connection) => connection.prepare(`SELECT 1 WHERE ${Array(2000).fill('1').join(' AND ')}`).all(),
  ],
  ['INPUT_TOO_LARGE', 'a value beyond a gigabyte', (connection) => connection.exec(`SELECT zeroblob(1 << 30)`)],
];

test.each(SOUND)('an error of a sound database is %s, not damage: %s', (code, _, work) => {
  const { connection } = opened();
  let thrown: unknown;
  try {
    work(connection);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ name: 'WaymarkError', code, cause: { name: 'SqliteError' } });
  expect(String(thrown)).not.toMatch(/delete|damaged/);
});

test('a missing table is damage: the schema is compared', () => {
  const { file, connection } = opened();
  const other = new Sqlite(file);
  other.exec('DROP TABLE contents');
  other.close();
  expect(() => connection.exec('SELECT * FROM contents')).toThrow(
    expect.objectContaining({
      code: 'DATABASE_DAMAGED',
      message:
        `${file} is damaged (no such table: contents): try waymark doctor --repair; if that does not help, ` +
        'restore a backup or index again into a new file.',
    }),
  );
});
