import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Fault } from './outlives.js';

/** A mounted file system of its own; the fault fills it and frees it. */
export interface SmallDisk extends Fault {
  readonly folder: string;
  /** Frees some bytes of a disk that is full. */
  free(bytes: number): void;
  unmount(): void;
}

/** Mounts a file system of a few megabytes; its filler file takes all the free space. */
export function smallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-test-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  const filler = path.join(folder, 'filler');
  const begin = () => {
    const file = openSync(filler, 'w');
    try {
      for (const bytes of [1 << 16, 1 << 12]) fill(file, bytes);
    } finally {
      closeSync(file);
    }
  };
  const end = () => {
    if (existsSync(filler)) unlinkSync(filler);
  };
  const free = (bytes: number) => truncateSync(filler, Math.max(0, statSync(filler).size - bytes));
  const unmount = () => {
    // Files that a failed test left open must not keep it mounted.
    execFileSync('umount', ['--lazy', folder]);
    rmdirSync(folder);
  };
  return { folder, begin, end, free, unmount };
}

function fill(file: number, bytes: number): void {
  try {
    for (;;) writeSync(file, new Uint8Array(bytes));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

/** A small disk until the test has finished. */
export function mounted(megabytes: number): SmallDisk {
  const disk = smallDisk(megabytes);
  onTestFinished(() => disk.unmount());
  return disk;
}

/** Whether this process may mount a file system; otherwise the tests that need one are skipped. */
export function mayMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    smallDisk(1).unmount();
    return true;
  } catch {
    return false;
  }
}
