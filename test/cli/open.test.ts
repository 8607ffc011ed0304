import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { argumentsOf } from '#src/cli/actions/editor/editor-arguments.js';
import { MAIN, waymark, waymarkEach } from '../support/command.js';
import { createIndexedFolder } from './documentation.js';

/** Without the editor of whoever runs the tests. */
const NONE = { VISUAL: '', EDITOR: '' };

test.each([
  ['vim', ['+7', '/a.md']],
  ['/usr/bin/nvim -u NONE', ['+7', '/a.md']],
  ['emacsclient -t', ['+7', '/a.md']],
  ['nano', ['+7', '/a.md']],
  ['code --wait', ['--goto', '/a.md:7']],
  ['"/Applications/My Editor/code" -w', ['--goto', '/a.md:7']],
  ['C:\\Tools\\cursor.cmd', ['--goto', '/a.md:7']],
  ['hx', ['/a.md:7']],
  ['zed --wait', ['/a.md:7']],
  ['idea64.exe', ['--line', '7', '/a.md']],
])('the editor %s is told the line', (editor, given) => {
  expect(argumentsOf(editor, { path: '/a.md', line: 7 })).toEqual(given);
});

test.runIf(process.platform !== 'win32')('--open runs the editor at the line of the best sentence', async () => {
  const cwd = await createIndexedFolder();
  const search = ['search', 'put the copy in place', '--open'];
  const env = { VISUAL: `'${process.execPath}' -p 'JSON.stringify(process.argv.slice(1))'`, EDITOR: 'false' };
  const { code, stdout } = await waymark(search, { cwd, env });
  expect([code, stdout]).toEqual([0, `["+7","${path.join(cwd, 'docs', 'backup.md')}"]\n`]);
  const failed = await waymark(search, { cwd, env: { VISUAL: '', EDITOR: 'no-such-editor' } });
  expect([failed.code, failed.stderr.trimEnd().split('\n').at(-1)]).toEqual([
    2,
    'The editor "no-such-editor" ended with 127. Set VISUAL or EDITOR to one that can be run.',
  ]);
});

test('--open prints the place without an editor', async () => {
  const cwd = await createIndexedFolder();
  expect(await waymark(['search', 'put the copy in place', '--open'], { cwd, env: NONE })).toMatchObject({
    ...{ code: 0, stdout: 'docs/backup.md:7\n' },
  });
});

test('--open prints no results, so that options of what is printed are refused by their names', async () => {
  const cwd = await createIndexedFolder();
  const options = [['--format', 'json'], ['--consolidate'], ['--context-depth', '1'], ['--explain'], ['--group']];
  const commands = options.map((given) => ['search', 'colleague', '--open', ...given]);
  expect(await waymarkEach(commands, { cwd, env: NONE })).toEqual(
    options.map(([name]) => ({
      code: 2,
      stdout: '',
      stderr: `${name} is for results that are printed: leave it out with --open and --interactive.\n`,
    })),
  );
});

/** A pseudo-terminal, from util-linux. */
const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

/** Types into a command on a pseudo-terminal, each part once the one before is shown, and returns all that is shown. */
const TYPIST = `
  const { spawn } = require('node:child_process');
  const [main, steps] = [process.argv[1], JSON.parse(process.argv[2])];
  const command = [process.execPath, main, 'search', '-i', '--mode', 'lexical'].join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    shown += part;
    const [step] = steps;
    if (step && shown.includes(step.after)) child.stdin.write(steps.shift().type);
  });
  child.on('close', () => process.stdout.write(shown));
`;

test.runIf(hasTerminal)('-i shows results while a query is typed, and prints the place of the chosen one', async () => {
  const cwd = await createIndexedFolder();
  const steps = [
    { after: 'Search', type: 'colleague' },
    { after: 'users.md:7', type: '\r' },
  ];
  const { stdout } = spawnSync(process.execPath, ['-e', TYPIST, MAIN, JSON.stringify(steps)], {
    ...{ cwd, encoding: 'utf8' as const },
    env: { ...process.env, ...NONE },
  });
  expect(stdout).toContain('Send a colleague a link by e-mail.');
  expect(stdout.trimEnd().split('\n').at(-1)?.trim()).toMatch(/docs\/my notes\/users\.md:7$/);
});
