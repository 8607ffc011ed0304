import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs an ES module in a process of its own, where `waymark` can be imported; `process.argv[1]` is the first argument. */
export function runModule(
  program: string,
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...nodeOptions, '--input-type=module', '--eval', program, ...args],
      { cwd: ROOT },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, signal: child.signalCode, stdout, stderr }),
    );
  });
}
