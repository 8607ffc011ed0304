import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type NodeOptions, runNode } from './node.js';

/** How a command ended. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** Runs `waymark` with arguments. */
export function waymark(args: readonly string[], options: NodeOptions): Promise<Outcome> {
  return node([MAIN, ...args], options);
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

/** Sends SIGINT, as Ctrl-C does, as soon as stderr contains `at`, and waits for the process to end. */
export async function interrupt(
  child: ChildProcess,
  { at }: { readonly at: string },
): Promise<Pick<Outcome, 'code' | 'stderr'>> {
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    stderr += part;
    if (part.includes(at)) child.kill('SIGINT');
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stderr };
}
