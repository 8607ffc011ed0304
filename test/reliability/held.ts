import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { folderOf } from '../support/folder.js';
import { type Child, runChild } from './child.js';

/**
 * `held()` returns the resources of the process: handles and timers by kind, without the pipes of its standard streams;
 * on Linux also its open files, threads and children.
 */
const HELD = `
  import { setImmediate, setTimeout } from 'node:timers/promises';
  const count = (folder) => fs.existsSync(folder) ? fs.readdirSync(folder).length : 0;
  const children = () => {
    const file = '/proc/self/task/' + process.pid + '/children';
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split(' ').filter(Boolean) : [];
  };
  const held = () => ({
    resources: process.getActiveResourcesInfo().filter((kind) => kind !== 'PipeWrap'),
    files: count('/proc/self/fd'),
    threads: count('/proc/self/task'),
    children: children().length,
  });
  /** Waits until the expected resources remain: the system releases threads a moment later. */
  const settled = async (expected) => {
    for (let i = 0; i < 6_000 && JSON.stringify(held()) !== JSON.stringify(expected); i++) await setTimeout(10);
    return held();
  };
  /** Waits until no handle or timer is active. */
  const quiet = async () => {
    for (let i = 0; i < 6_000 && held().resources.length > 0; i++) await setTimeout(10);
    return held();
  };
  const hash = () => createHashEmbedder();
`;

export interface Ran extends Child {
  /** Files left in the folder for temporary files. */
  readonly left: readonly string[];
}

/** Runs a program in a process with its own folder for temporary files. */
export async function run(program: string, args: readonly string[], flags: readonly string[] = []): Promise<Ran> {
  const temporary = path.join(folderOf(), 'tmp');
  mkdirSync(temporary);
  const child = await runChild(HELD + program, args, { env: { TMPDIR: temporary }, flags });
  return { ...child, left: readdirSync(temporary) };
}
