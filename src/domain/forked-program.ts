import { type ChildProcess, fork } from 'node:child_process';
import { errorOf } from './errors.js';

/**
 * Starts a program of the package in a process of its own. Messages are structured clones. `flags` are those of Node.
 * If the system allows no more processes, it throws, or the process emits `error`.
 */
export function forkProgram(
  program: URL,
  { args = [], flags = [] }: { readonly args?: readonly string[]; readonly flags?: readonly string[] },
): ChildProcess {
  // A process cannot be started in a deleted working folder.
  const isInDeletedFolder = errorOf(() => process.cwd()) !== undefined;
  return fork(program, args, {
    ...(isInDeletedFolder && { cwd: import.meta.dirname }),
    serialization: 'advanced',
    // Does not inherit the caller's flags, such as a debugger's port.
    execArgv: [...flags],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** Keeps the calling process alive while a process runs. */
export function holdCaller(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

/** Lets the calling process exit while a process runs. */
export function releaseCaller(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

/** Whether a process of this machine is running, be it that of another user. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
