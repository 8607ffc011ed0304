import { readFileSync, readlinkSync } from 'node:fs';

/** Milliseconds per clock tick of /proc, on every Linux. */
const CLOCK_TICK = 10;

/** The number that Linux gives the calling thread; undefined elsewhere. */
export function currentThread(): number | undefined {
  try {
    // <process>/task/<thread>
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return undefined;
  }
}

/** Milliseconds of processor time that a thread of this process has used; undefined where the system does not say. */
export function threadTime(thread: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    // After the name, which may contain anything, fields 14 and 15 of proc(5): user and system time.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * CLOCK_TICK;
  } catch {
    return undefined;
  }
}
