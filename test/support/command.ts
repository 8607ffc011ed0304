import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type NodeOptions, runNode } from './node.js';

/** How a command ended. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command's own file. */
export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** Runs `waymark` with arguments. */
export function waymark(args: readonly string[], options: NodeOptions): Promise<Outcome> {
  return node([MAIN, ...args], options);
}

/**
 * A program that runs commands one after another, each as a process would except for its start and end, and prints the
 * outcomes.
 */
const EACH = `
  import fs from 'node:fs';
  const [node, main, commands] = process.argv;
  // Commander would take the arguments for those of node --eval.
  process.execArgv = [];
  process.stdout.setMaxListeners(0);
  const outcomes = [];
  let outcome;
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (text, ...rest) => {
      outcome[name] += text;
      rest.find((done) => typeof done === 'function')?.();
      return true;
    };
  }
  for (const [i, args] of JSON.parse(commands).entries()) {
    outcome = { code: 0, stdout: '', stderr: '' };
    process.argv = [node, main, ...args];
    process.exitCode = 0;
    // Each start of the command adds its own listeners.
    for (const name of ['stdout', 'stderr']) process[name].removeAllListeners('error');
    await import(main + '?' + i);
    outcomes.push({ ...outcome, code: process.exitCode });
  }
  process.exitCode = 0;
  fs.writeSync(1, JSON.stringify(outcomes));
`;

/** Runs several commands of `waymark`, one after another in one process: most of a short command is its start. */
export async function waymarkEach(commands: readonly (readonly string[])[], options: NodeOptions): Promise<Outcome[]> {
  const program = ['--input-type=module', '--eval', EACH];
  const { code, stdout, stderr } = await runNode([...program, MAIN, JSON.stringify(commands)], options);
  if (code !== 0) throw new Error(`the commands ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

/** Runs Node with arguments. */
export async function node(args: readonly string[], options: NodeOptions): Promise<Outcome> {
  const { code, stdout, stderr } = await runNode(args, options);
  return { code, stdout, stderr };
}

/** Starts `waymark` with arguments; its three streams are pipes. */
export function startWaymark(args: readonly string[], { cwd, env }: NodeOptions): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], { cwd, env: { ...process.env, ...env }, stdio: 'pipe' });
}

/** Sends a signal at once when a word is written to stderr: from outside it could come too late. */
const INTERRUPT = `
  const write = process.stderr.write.bind(process.stderr);
  process.stderr.write = (text, ...rest) => {
    if (text.includes(process.env.INTERRUPT_AT)) process.kill(process.pid, process.env.INTERRUPT_BY);
    return write(text, ...rest);
  };
`;

/** Runs `waymark` until it writes `at` to stderr; then it is sent a signal, as Ctrl-C sends SIGINT. */
export function interrupted(
  args: readonly string[],
  { cwd, at, by = 'SIGINT' }: { readonly cwd: string; readonly at: string; readonly by?: NodeJS.Signals },
): Promise<Outcome> {
  const preload = `data:text/javascript,${encodeURIComponent(INTERRUPT)}`;
  return node(['--import', preload, MAIN, ...args], { cwd, env: { INTERRUPT_AT: at, INTERRUPT_BY: by } });
}
