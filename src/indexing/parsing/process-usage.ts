import { readFileSync } from 'node:fs';

/** Milliseconds per clock tick of /proc, on every Linux. */
const CLOCK_TICK = 10;

/** Milliseconds of processor time of the main thread of a process; undefined where the system does not say. */
export function mainThreadTime(pid: number): number | undefined {
  // After the name, which may contain anything, fields 14 and 15 of proc(5): user and system time.
  const stat = read(`/proc/${pid}/task/${pid}/stat`);
  const [user, system] =
    stat
      ?.slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13) ?? [];
  return user === undefined || system === undefined ? undefined : (Number(user) + Number(system)) * CLOCK_TICK;
}

/** Bytes of memory that a process has; undefined where the system does not say. */
export function residentMemory(pid: number): number | undefined {
  const kilobytes = read(`/proc/${pid}/status`)?.match(/^VmRSS:\s+(\d+) kB$/m)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** The text of a file of /proc; undefined without one, or without an open file left to read it with. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
