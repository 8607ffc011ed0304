import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { createProgram } from '#src/cli/program.js';
import { waymark, waymarkEach } from '../support/command.js';
import { createIndexedFolder, DOCS } from './documentation.js';

const cwd = tmpdir();

test('the help of each command has usage and examples, and fits 80 columns', async () => {
  const groups = ['bot create', 'bot list', 'bot rename', 'bot delete', 'workspace create', 'workspace list'];
  const tokens = ['token create', 'token list', 'token revoke'];
  const commands = [
    'index',
    'add',
    'list',
    'drop',
    'watch',
    'search',
    'get',
    'map',
    'mcp',
    'completion',
    'eval',
    'status',
    'config',
    'doctor',
    'remove',
    'copy',
    'serve',
    'ui',
    'workspace rename',
    'workspace delete',
    ...groups,
    ...tokens,
    '',
  ];
  const helps = await waymarkEach(
    commands.map((command) => [...command.split(' ').filter(Boolean), '--help']),
    { cwd },
  );
  for (const [i, { code, stdout, stderr }] of helps.entries()) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const command = `waymark ${commands[i]}`;
    expect(stdout).toMatch(new RegExp(`^Usage: ${command}[\\s\\S]*\\nExamples?:\\n {2}${command}`));
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  }
});

test('the descriptions of a help are wrapped in a terminal of 44 columns', () => {
  const get = createProgram().commands.find((command) => command.name() === 'get');
  get?.configureOutput({ getOutHelpWidth: () => 44 });
  const [options = ''] = get?.helpInformation().split('\nExamples') ?? [];
  expect(options).toContain('--context-depth');
  // A word that is wider than its column stays whole.
  expect(options.split('\n').filter((line) => line.length > 44 && line.trim().includes(' '))).toEqual([]);
});

test('the help of a command has its own options before those that it shares with others', async () => {
  const { stdout } = await waymark(['search', '--help'], { cwd });
  const listed = [...stdout.matchAll(/^(?:Options|Common options|Examples):$|^ {2}(?:-\w, )?--[\w-]+/gm)].map(String);
  expect(listed.slice(0, 2)).toEqual(['Options:', '  --format']);
  expect(listed.slice(-9)).toEqual([
    '  -h, --help',
    'Common options:',
    '  --database',
    '  --cluster',
    '  --bot',
    '  --model',
    '  --passage-tokens',
    '  --index',
    'Examples:',
  ]);
});

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(await waymark(['--version'], { cwd })).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('without a command: exit code 2, and the help on stderr', async () => {
  const { code, stdout, stderr } = await waymark([], { cwd });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^Usage: waymark /);
});

test('status shows the number of files and passages, their folder and the model', async () => {
  const folder = await createIndexedFolder({ ...DOCS, 'docs/odd.md': '---\n: :\n---\n\nOdd.\n' });
  const { code, stdout, stderr } = await waymark(['status'], { cwd: folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [database, bot, files, passages, model, index, warning] = stdout.split('\n');
  expect(database).toMatch(/^database {2}\/.*\/\.waymark\/waymark\.db \(\d+\.\d MB\)$/);
  expect(bot).toMatch(/^bot {7}default, last indexed \d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
  expect([files, passages, model, index]).toEqual([
    'files     3 from docs',
    'passages  4',
    'model     waymark-docs-small-en, 384 dimensions',
    'index     exact',
  ]);
  expect(warning).toMatch(/^odd\.md: The front matter could not be read/);
});
