import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { folderOf } from '../support/folder.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** In place of npx, the command as it was built. */
const NPX = `npx() { shift; '${process.execPath}' '${path.join(ROOT, 'dist/cli/main.js')}' "$@"; }`;

test('the example of the README prints what the README says', () => {
  const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  const [, script = '', printed = ''] = /```sh\n(.*?)```\n\nprints\n\n```text\n(.*?)```/s.exec(readme) ?? [];
  const stdout = execFileSync('bash', ['-ec', `${NPX}\n${script}`], { cwd: folderOf(), encoding: 'utf8' });
  // The second digit of a score depends on the CPU's kernels.
  const rounded = (text: string) => text.replace(/(0\.\d)\d/g, '$1');
  expect(rounded(stdout)).toBe(rounded(printed));
  expect(printed).toContain('docs/keys.md');
});
