import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What a process ended with. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  /** Working folder. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** Runs `waymark` with arguments to its end. */
export function waymark(args: readonly string[], options: CommandOptions): Promise<Outcome> {
  return node([MAIN, ...args], options);
}

/** Runs Node with arguments to its end. */
export function node(args: readonly string[], { cwd, env }: CommandOptions): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd, env: { ...process.env, ...env } }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

/** Starts `waymark` with arguments, its three streams piped. */
export function start(args: readonly string[], { cwd, env }: CommandOptions): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], { cwd, env: { ...process.env, ...env }, stdio: 'pipe' });
}
