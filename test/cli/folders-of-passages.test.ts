import path from 'node:path';
import { expect, test } from 'vitest';
import { openEngine } from 'waymark';
import { waymarkEach } from '../support/command.js';
import { folderOf, writeFiles } from '../support/folder.js';
import { databasePath } from './documentation.js';

test('a passage is shown with the path of its own file, whatever other folders have under that key', async () => {
  const folder = folderOf({ 'one/a.md': 'apples', 'two/only.md': 'pears' });
  const engine = await openEngine({ database: databasePath(folder) });
  await engine.indexFolder(path.join(folder, 'one'));
  await engine.indexFolder(path.join(folder, 'two'));
  await engine.indexFile('given.md', 'plums');
  await engine.close();
  writeFiles(folder, { 'one/only.md': 'not indexed', 'one/given.md': 'not indexed' });
  const [pears, plums, own, other] = await waymarkEach(
    [
      ['search', 'pears', '--mode', 'lexical'],
      ['search', 'plums', '--mode', 'lexical'],
      ['search', 'pears', '--mode', 'lexical', '--in', 'two/only.md'],
      ['search', 'pears', '--mode', 'lexical', '--in', 'one/only.md'],
    ],
    { cwd: folder },
  );
  expect(pears?.stdout).toMatch(/^two\/only\.md:1 /);
  expect(plums?.stdout).toMatch(/^given\.md:1 /);
  expect(own?.stdout).toMatch(/^two\/only\.md:1 /);
  expect(other).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /^"one\/only\.md" is not indexed: the file of the key "only\.md" is ".*two\/only\.md"\./,
    ),
  });
});
