import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { withTemporaryFile } from '#src/vectors/hnsw/temporary-file.js';
import { folderOf } from '../../support/folder.js';

it('a temporary file is removed after its use; that of a killed process, after the next use', async () => {
  const folder = folderOf();
  const program = `
    const { withTemporaryFile } = await import('./hnsw/temporary-file.js');
    await withTemporaryFile(process.argv[1], async () => process.kill(process.pid, 'SIGKILL'));`;
  const killed = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program, folder], {
    cwd: new URL('../../../dist/vectors/', import.meta.url),
  });
  await expect(killed).rejects.toMatchObject({ signal: 'SIGKILL' });
  const text = await withTemporaryFile(folder, async (path) => {
    writeFileSync(path, 'apples');
    return readFile(path, 'utf8');
  });
  expect([text, readdirSync(folder)]).toEqual(['apples', []]);
});
