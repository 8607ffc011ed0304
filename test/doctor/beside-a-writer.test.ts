import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { complaints, examined, indexed } from './damaged-database.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const WRITER = `
  import { createHashEmbedder, openEngine } from 'waymark';
  const engine = await openEngine({ database: process.argv[1], model: createHashEmbedder() });
  for (let i = 0; i < 14; i++) await engine.indexFile('f' + i + '.md', '# T' + i + '\\n\\npears and ' + i * 7919);
  await engine.close();
`;

/**
 * Changes a database in another process: with 14 files, FTS5 merges segments whose layout a connection remembers. This
 * process is blocked meanwhile.
 */
function changedElsewhere(database: string): void {
  execFileSync(process.execPath, ['--input-type=module', '--eval', WRITER, database], { cwd: ROOT });
}

test('a database that another process changes between two checks of an examination is intact', async () => {
  const database = await indexed();
  // The first check is done once the call returns.
  const examination = examined(database);
  changedElsewhere(database);
  expect(complaints(await examination)).toEqual([]);
});
