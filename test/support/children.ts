import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Whether the kernel lists the children of a process. */
export const listsChildren = existsSync(`/proc/self/task/${process.pid}/children`);

/** Ids of this process's children with a program in their command lines. */
export function childrenWith(program: string): number[] {
  return readdirSync('/proc/self/task').flatMap((thread) => {
    const pids = contentOf(`/proc/self/task/${thread}/children`).split(' ').filter(Boolean);
    return pids.filter((pid) => contentOf(`/proc/${pid}/cmdline`).includes(program)).map(Number);
  });
}

/** The content of a file; empty if it is gone, as that of a process that has ended. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
