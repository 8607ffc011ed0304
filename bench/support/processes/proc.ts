// Figures of processes from /proc. Without it, as on systems other than Linux, they are undefined.
import { readFileSync } from 'node:fs';

/** Ids of the running processes that the main thread of a process started. */
export function childrenOf(pid: number): number[] {
  const text = read(`/proc/${pid}/task/${pid}/children`) ?? '';
  return text
    .split(' ')
    .filter((word) => word.trim() !== '')
    .map(Number);
}

/** Whether a process parses texts for an engine. */
export function isParser(pid: number): boolean {
  return read(`/proc/${pid}/cmdline`)?.includes('parser-program') ?? false;
}

/** Resident memory of a process in MiB: now, and at its peak. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } | undefined {
  const status = read(`/proc/${pid}/status`);
  return status === undefined ? undefined : memoryIn(status);
}

/** Memory in the text of a `status` file; `undefined` if the process has just ended, and the lines are missing. */
export function memoryIn(status: string): { readonly now: number; readonly peak: number } | undefined {
  const [now, peak] = ['VmRSS', 'VmHWM'].map((name) => new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
  return now && peak ? { now: Number(now) / 1024, peak: Number(peak) / 1024 } : undefined;
}

/** CPU seconds of a process. */
export function cpuSecondsOf(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : cpuSecondsIn(stat);
}

/** CPU seconds of the processes that a process started and that have ended. */
export function cpuSecondsOfEnded(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : endedCpuSecondsIn(stat);
}

/**
 * Resident memory of a process in MiB, each page divided by the number of processes that share it; 0 if it has ended.
 */
export function proportionalOf(pid: number): number {
  const pss = /^Pss:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '')?.[1];
  return Number(pss ?? 0) / 1024;
}

/** Clock ticks per second (USER_HZ) on all platforms that Node supports. */
const TICKS = 100;

/** CPU seconds in the text of a `stat` file: fields 14 and 15. */
export function cpuSecondsIn(stat: string): number {
  return secondsIn(stat, { fields: [14, 15] });
}

/** CPU seconds of ended children in the text of a `stat` file: fields 16 and 17. */
export function endedCpuSecondsIn(stat: string): number {
  return secondsIn(stat, { fields: [16, 17] });
}

/** Fields are counted from 1. The second is a name in parentheses, which may contain spaces. */
function secondsIn(stat: string, { fields }: { fields: readonly number[] }): number {
  const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.reduce((sum, field) => sum + Number(afterName[field - 3]), 0) / TICKS;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Not Linux, or the process has ended.
    return undefined;
  }
}
