import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { MAIN } from '../support/command.js';
import { folderOf } from '../support/folder.js';
import { until } from '../support/until.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Stands in for npx: runs the command as it was built. */
const NPX = `#!/bin/sh
while [ "$1" != waymark ]; do shift; done
shift
exec '${process.execPath}' '${MAIN}' "$@"
`;

/** A block of commands, or of what they print, and the line before it. */
const BLOCK = /^([^\n]+)\n\n```(sh|text)\n(.*?)^```/gms;

/** How a document marks commands that do not end by themselves. */
const UNTIL_STOPPED = '# until Ctrl-C';

/** The outputs of a document: as it says, and as its commands printed them. */
export interface Transcript {
  readonly said: readonly string[];
  readonly printed: readonly string[];
}

/**
 * Runs the `sh` blocks of a document in a folder, one after another. A `text` block is what the block before it prints
 * on stdout or, below a line that says "the other terminal", what a running block has printed since. Running blocks
 * are stopped when the test finishes.
 */
export async function play(document: string, { cwd, env }: Surroundings): Promise<Transcript> {
  const said: string[] = [];
  const printed: string[] = [];
  let last: Started | undefined;
  let running: Started | undefined;
  for (const [, before = '', kind, text = ''] of readFileSync(path.join(ROOT, document), 'utf8').matchAll(BLOCK)) {
    if (kind === 'sh') {
      last = start(text, { cwd, env });
      if (text.includes(UNTIL_STOPPED)) running = last;
      else await last.ended();
      continue;
    }
    const from = /the other terminal/i.test(before) ? running : last;
    if (!from) throw new Error(`Nothing runs that could print: ${text}`);
    said.push(steady(text));
    printed.push(steady(await from.read(linesOf(text))));
  }
  return { said, printed };
}

/** Where the commands of a document run. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** An empty folder, with `npx waymark` as the command that was built. */
export function emptyProject(): Surroundings {
  const bin = folderOf({ npx: NPX });
  chmodSync(path.join(bin, 'npx'), 0o755);
  return { cwd: folderOf(), env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` } };
}

type Started = ReturnType<typeof start>;

function start(script: string, { cwd, env }: Surroundings) {
  const child = spawn('bash', ['-ec', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const exited = once(child, 'close');
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => {
    written.stdout += data;
  });
  child.stderr.on('data', (data) => {
    written.stderr += data;
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  onTestFinished(async () => {
    if (child.pid && !hasEnded()) process.kill(-child.pid, 'SIGINT');
    await exited;
  });
  return {
    /** Waits for the end of the commands, which must not fail. */
    async ended(): Promise<void> {
      await exited;
      if (child.exitCode !== 0) throw new Error(`${script}\nended with ${child.exitCode}: ${written.stderr}`);
    },
    /** What stdout has that was not read yet: at least so many lines, unless the commands have ended. */
    async read(lines: number): Promise<string> {
      await until(() => hasEnded() || linesOf(written.stdout) >= lines);
      const text = written.stdout;
      written.stdout = '';
      return text;
    },
  };
}

function linesOf(text: string): number {
  return text.split('\n').length;
}

/**
 * Without what differs from run to run: the second digit of a score, which depends on the kernels of the CPU;
 * the number of a port; and how many files a watch looked at again.
 */
function steady(text: string): string {
  return text
    .replaceAll(/(0\.\d)\d/g, '$1')
    .replaceAll(/(127\.0\.0\.1:)\d+/g, '$1')
    .replaceAll(/, \d+ unchanged$/gm, '');
}
