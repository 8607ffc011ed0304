// What Linux tells of processes under /proc; elsewhere it is undefined.
import { readFileSync } from 'node:fs';

/** Processes that the main thread of a process started and that run. */
export function childrenOf(pid: number): number[] {
  const text = read(`/proc/${pid}/task/${pid}/children`) ?? '';
  return text
    .split(' ')
    .filter((word) => word.trim() !== '')
    .map(Number);
}

/** Resident memory of a process in MB: what it has now, and the most it ever had. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } | undefined {
  const status = read(`/proc/${pid}/status`);
  return status === undefined ? undefined : memoryIn(status);
}

/** The same, of the text of a `status` file; one of a process that has just ended has no such lines. */
export function memoryIn(status: string): { readonly now: number; readonly peak: number } | undefined {
  const [now, peak] = ['VmRSS', 'VmHWM'].map((name) => new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
  return now && peak ? { now: Number(now) / 1024, peak: Number(peak) / 1024 } : undefined;
}

/** Seconds of CPU that a process, or only its main thread, has used. */
export function cpuSecondsOf(pid: number, options?: { readonly mainThread: boolean }): number | undefined {
  const stat = read(options?.mainThread ? `/proc/${pid}/task/${pid}/stat` : `/proc/${pid}/stat`);
  return stat === undefined ? undefined : cpuSecondsIn(stat);
}

/** Resident memory of a process in MB, each page divided by the number of processes that share it; 0 for one that ended. */
export function proportionalOf(pid: number): number {
  const pss = /^Pss:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '')?.[1];
  return Number(pss ?? 0) / 1024;
}

/** Linux counts time in hundredths of a second wherever Node runs (USER_HZ). */
const TICKS = 100;

/** The same, of the text of a `stat` file: the 14th and 15th field; the second, a name, may hold blanks. */
export function cpuSecondsIn(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Another system, or the process has ended.
    return undefined;
  }
}
