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

/** Ends a process as Ctrl-C does, once it says something: its code, and all that it said on stderr. */
export async function interrupted(
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
