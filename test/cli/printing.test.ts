import { execFile } from 'node:child_process';
import { linkSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, test } from 'vitest';
import { readSecret, writeSecret } from '#src/cli/actions/serve/secret-file.js';
import { waymark, waymarkEach } from '../support/command.js';
import { folderOf } from '../support/folder.js';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const ESCAPES = 'a\u001b[31m\u009b2J\nb\u007f';
const ESCAPED = 'a\\x1b[31m\\x9b2J\\x0ab\\x7f';

/** Runs `waymark` in a shell and returns its exit code and what it wrote to stderr. */
function inShell(line: string, cwd: string): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile('sh', ['-c', line, process.execPath, MAIN], { cwd }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}

test.runIf(process.platform !== 'win32')(
  'control characters in names are escaped, wherever they are printed',
  async () => {
    const cwd = folderOf({ [`docs/${ESCAPES}.md`]: '# Pears', 'docs/ok.md': '# Apples' });
    const raw = /(?!\n)\p{Cc}/u;
    const outcomes = await waymarkEach(
      [
        ['index', 'docs'],
        ['index', 'docs', '--json'],
        ['status'],
        ['remove', ESCAPES],
        ['remove', ESCAPES, '--json'],
        ['search', 'apples', '--bot', ESCAPES],
        [ESCAPES],
        ['search', `--${ESCAPES}`],
        ['search', 'apples', '--database', ESCAPES],
        ['bot', 'create', ESCAPES],
        ['eval', ESCAPES],
      ],
      { cwd },
    );
    expect(outcomes[0]?.stderr).toContain(
      `${ESCAPED}.md was not indexed: its path is too long, or has control characters`,
    );
    for (const { stdout, stderr } of outcomes) expect(`${stdout}${stderr}`).not.toMatch(raw);
    const { failed } = JSON.parse(outcomes[1]?.stdout ?? '');
    expect(failed[0].key).toBe(`${ESCAPES}.md`);
  },
);

test('marks that end a line or change the order of characters are escaped in names', async () => {
  const { stderr } = await waymark(['search', 'apples', '--database', 'a\u061cb\u200ec\u202ed\u2066e\u2028f'], {
    cwd: folderOf(),
  });
  expect(stderr).toContain('a\\u061cb\\u200ec\\u202ed\\u2066e\\u2028f');
});

test.runIf(process.platform === 'linux')('output that cannot be written: exit code 4 and one sentence', async () => {
  const cwd = folderOf({ 'docs/a.md': '# Apples' });
  await waymark(['index', 'docs'], { cwd });
  const message = /^The output could not be written \(.*ENOSPC.*\): free some space, or write it elsewhere\.\n$/;
  for (const command of ['--help', 'status', 'search apples --mode lexical --format json']) {
    const { code, stderr } = await inShell(`"$0" "$1" ${command} > /dev/full`, cwd);
    expect([command, code, stderr]).toEqual([command, 4, expect.stringMatching(message)]);
    expect([command, (await inShell(`"$0" "$1" ${command} 2> /dev/full`, cwd)).code]).toEqual([command, 0]);
  }
  expect((await inShell('"$0" "$1" search apples --bot nobody 2> /dev/full', cwd)).code).not.toBe(0);
});

test.runIf(process.platform === 'linux')('a token that could not be written is revoked', async () => {
  const cwd = folderOf();
  await waymark(['workspace', 'create', 'acme'], { cwd });
  const reason = 'ENOSPC: no space left on device, write';
  const remedy = 'free some space, or write it elsewhere, and create another one.';
  const stderr = `The token could not be written (${reason}), so it was revoked: ${remedy}\n`;
  for (const json of ['', '--json']) {
    const create = `"$0" "$1" token create ci --workspace acme --role member ${json}`;
    expect(await inShell(`${create} > /dev/full`, cwd)).toEqual({ code: 4, stdout: '', stderr });
  }
  const { stdout } = await waymark(['token', 'list', '--json'], { cwd });
  const revoked = { name: 'ci', revokedAt: expect.any(String) };
  expect(JSON.parse(stdout).tokens).toMatchObject([revoked, revoked]);
});

test.runIf(process.platform === 'linux')('too few open files: exit code 4 and one sentence', async () => {
  const cwd = folderOf({ 'docs/a.md': '# Apples' });
  await waymark(['index', 'docs'], { cwd });
  for (const limit of [24, 28, 32, 40]) {
    const { code, stderr } = await inShell(`ulimit -n ${limit}; exec "$0" "$1" search apples`, cwd);
    expect([limit, code, stderr]).toEqual([
      limit,
      4,
      expect.stringMatching(/^[^\n]*(?:EMFILE|more open files)[^\n]*\n$/),
    ]);
  }
});

it('a secret is written to a new file of mode 600, which replaces a link or a file that others may read', async () => {
  const folder = folderOf({ 'victim.txt': 'precious' });
  const file = path.join(folder, 'secret');
  const victim = path.join(folder, 'victim.txt');
  symlinkSync(victim, file);
  expect(readSecret(file)).toBeUndefined();
  writeSecret(file, 'one');
  expect([readSecret(file), (await lstat(file)).isFile(), await readFile(victim, 'utf8')]).toEqual([
    'one',
    true,
    'precious',
  ]);
  linkSync(file, path.join(folder, 'hard'));
  writeSecret(file, 'two');
  expect([readSecret(file), readSecret(path.join(folder, 'hard'))]).toEqual(['two', 'one']);
  const open = path.join(folder, 'open');
  writeFileSync(open, 'token', { mode: 0o644 });
  if (process.platform !== 'win32') expect(readSecret(open)).toBeUndefined();
  writeSecret(open, 'three');
  expect(readSecret(open)).toBe('three');
  if (process.platform !== 'win32') expect(statSync(open).mode & 0o777).toBe(0o600);
  mkdirSync(path.join(folder, 'directory'));
  expect(readSecret(path.join(folder, 'directory'))).toBeUndefined();
});
