import { expect, test } from 'vitest';
import { openConnection } from '#src/sqlite/connection/open-connection.js';
import { waymark } from '../support/command.js';
import { folderOf } from '../support/folder.js';
import { createIndexedFolder, databasePath } from './documentation.js';

test('doctor reports every check, and exits with 0 if there is no damage', async () => {
  const cwd = await createIndexedFolder();
  const { code, stdout, stderr } = await waymark(['doctor'], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.split('\n').map((line) => line.split(':')[0])).toEqual([
    'ok        native modules',
    'ok        free space',
    'ok        schema',
    'ok        structure',
    'ok        embeddings',
    'ok        changes',
    'ok        settings',
    'ok        files (default)',
    'ok        model (default)',
    'ok        passages (default)',
    'ok        postings (default)',
    'ok        snapshot (default)',
    '',
  ]);
});

test('doctor reports damage with exit code 4, and --repair re-embeds what is damaged', async () => {
  const cwd = await createIndexedFolder();
  const connection = openConnection(databasePath(cwd), { create: false });
  connection.exec(`UPDATE embeddings SET vector = zeroblob(1536) WHERE number = 1`);
  connection.close();

  const damaged = await waymark(['doctor', '--bot', 'default'], { cwd });
  expect([damaged.code, damaged.stderr]).toEqual([4, '']);
  expect(damaged.stdout).toMatch(
    /^damaged {3}embeddings: 1 of \d embeddings is damaged: .* Next: waymark doctor --repair$/m,
  );
  const search = await waymark(['search', 'keys'], { cwd });
  expect([search.code, search.stdout]).toEqual([4, '']);
  expect(search.stderr).toMatch(
    /^The embedding of passage \d of .* is damaged in the database: repair it with: waymark doctor --repair\n$/,
  );

  const repair = await waymark(['doctor', '--repair', '--json'], { cwd });
  expect([repair.code, repair.stderr]).toEqual([0, '']);
  expect(JSON.parse(repair.stdout)).toMatchObject({
    database: databasePath(cwd),
    state: 'ok',
    repaired: expect.arrayContaining(['Removed 1 damaged embedding.', 'Embedded 1 text with waymark-docs-small-en.']),
  });
  expect((await waymark(['search', 'keys'], { cwd })).code).toBe(0);
});

test('doctor without an index: exit code 3 and one sentence', async () => {
  const { code, stdout, stderr } = await waymark(['doctor'], { cwd: folderOf() });
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(/^No index at .*\. Create one with: waymark index <folder>\n$/);
});
