import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { waymark } from '../support/command.js';
import { folderOf, writeFiles } from '../support/folder.js';

const has = (shell: string) => spawnSync(shell, ['-c', 'exit']).status === 0;

/** What is typed, and what is offered for its last word. */
const CASES: readonly (readonly [typed: string, offered: readonly string[]])[] = [
  ['waymark se', ['search', 'serve']],
  ['waymark bot re', ['rename']],
  ['waymark search --form', ['--format']],
  ['waymark search --format m', ['markdown']],
  ['waymark search how --mode ', ['dense', 'hybrid', 'lexical']],
  ['waymark search bot --per', ['--per-file']],
  ['waymark list --mo', ['--model']],
  ['waymark bot list --mo', []],
  ['waymark completion ', ['bash', 'fish', 'zsh']],
  ['waymark token create x --role m', ['member']],
  ['waymark search --mode=d', ['--mode=dense']],
  [
    'waymark search --format=',
    ['files', 'json', 'jsonl', 'markdown', 'text', 'vimgrep'].map((name) => `--format=${name}`),
  ],
];

async function folderWith(shell: string): Promise<string> {
  const cwd = folderOf({ 'docs/a.md': '' });
  const { code, stdout } = await waymark(['completion', shell], { cwd });
  expect(code).toBe(0);
  writeFiles(cwd, { script: stdout });
  return cwd;
}

/** Runs the completion function as bash does: words, the index of the last one, and its answer in COMPREPLY. */
const ASK = `source ./script
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _waymark; printf '%s\\n' "\${COMPREPLY[@]}"`;

function offered(text: string): string[] {
  return text.split('\n').filter(Boolean).sort();
}

test.runIf(has('bash'))('bash completes commands, options and their values, and otherwise paths', async () => {
  const cwd = await folderWith('bash');
  const ask = (typed: string) =>
    offered(execFileSync('bash', ['-c', ASK, 'bash', ...typed.split(' ')], { cwd, encoding: 'utf8' }));
  expect(CASES.map(([typed]) => [typed, ask(typed)])).toEqual(CASES);
  expect(ask('waymark index do')).toEqual([]);
  expect(ask('waymark search x --in ')).toEqual([]);
  // The words of --mode=d where COMP_WORDBREAKS has its default.
  expect(ask('waymark search --mode = d')).toEqual(['dense']);
  expect(ask('waymark search --mode =')).toEqual(['dense', 'hybrid', 'lexical']);
  expect(ask('waymark search --in = ')).toEqual([]);
  const registered = execFileSync('bash', ['-c', 'source ./script; complete -p waymark'], { cwd, encoding: 'utf8' });
  expect(registered).toBe('complete -o default -F _waymark waymark\n');
});

test.runIf(has('zsh'))('zsh runs the function of bash', async () => {
  const cwd = await folderWith('zsh');
  const program = `autoload -U compinit; compinit -u -d ./dump; emulate sh; ${ASK}`;
  const ask = (typed: string) =>
    offered(execFileSync('zsh', ['-f', '-c', program, 'zsh', ...typed.split(' ')], { cwd, encoding: 'utf8' }));
  expect(CASES.map(([typed]) => [typed, ask(typed)])).toEqual(CASES);
});

test.runIf(has('fish'))('fish completes commands, options and their values, and otherwise paths', async () => {
  const cwd = await folderWith('fish');
  const ask = (typed: string) => {
    const program = `source ./script; complete -C ${JSON.stringify(typed)}`;
    const lines = execFileSync('fish', ['--no-config', '-c', program], { cwd, encoding: 'utf8' });
    return offered(lines.replace(/\t.*$/gm, ''));
  };
  expect(CASES.map(([typed]) => [typed, ask(typed)])).toEqual(CASES);
  expect(ask('waymark index do')).toEqual(['docs/']);
});

test('completion for an unknown shell is refused with the list of known shells', async () => {
  const { code, stderr } = await waymark(['completion', 'csh'], { cwd: folderOf() });
  expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish.')]);
});
