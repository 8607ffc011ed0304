import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface NodeOptions {
  /** Working folder. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads from stdin. Defaults to nothing. */
  readonly stdin?: string;
}

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Node with arguments in a process of its own. */
export function runNode(args: readonly string[], { cwd, env, stdin = '' }: NodeOptions): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd, env: { ...process.env, ...env } }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, signal: child.signalCode, stdout, stderr }),
    );
    child.stdin?.end(stdin);
  });
}

/** Runs the source of an ES module that may import `waymark`; its `process.argv[1]` is the first argument. */
export function runModule(
  program: string,
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): Promise<Ended> {
  return runNode([...nodeOptions, '--input-type=module', '--eval', program, ...args], { cwd: ROOT });
}
