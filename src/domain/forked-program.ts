import { type ChildProcess, fork } from 'node:child_process';

/**
 * Starts a program of the package in a process of its own. Messages are structured clones. `flags` are Node's. Throws,
 * or emits `error`, if the system allows no more processes.
 */
export function forkProgram(
  program: URL,
  { args = [], flags = [] }: { readonly args?: readonly string[]; readonly flags?: readonly string[] },
): ChildProcess {
  return fork(program, args, {
    serialization: 'advanced',
    // Does not inherit the caller's flags, such as a debugger's port.
    execArgv: [...flags],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** Whether a process that runs keeps the calling process alive. */
export function keepCallerAlive(child: ChildProcess, keep: boolean): void {
  for (const handle of [child, child.channel]) {
    if (keep) handle?.ref();
    else handle?.unref();
  }
}

/** Whether a process of this machine is running, be it that of another user. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
