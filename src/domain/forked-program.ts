import { type ChildProcess, fork } from 'node:child_process';

/**
 * Starts a program of the package in a process of its own. Messages are structured clones. `flags` are those of Node.
 * If the system allows no more processes, it throws, or the process emits `error`.
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

/** Sets whether the calling process stays alive while a process runs. */
export function keepCallerAlive(child: ChildProcess, keep: boolean): void {
  for (const handle of [child, child.channel]) {
    if (keep) handle?.ref();
    else handle?.unref();
  }
}
