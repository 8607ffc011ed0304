import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { folderOf } from '../support/folder.js';
import { type Child, runChild } from './child.js';

/**
 * `held()` is what a process has: handles and timers by kind (but for the pipes of its standard streams), and where Linux tells it, its open files, its threads and its
 * children.
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
  /** What is held when all that ends in its own time has ended: the system takes threads back a moment later. */
  const settled = async (expected) => {
    for (let i = 0; i < 200 && JSON.stringify(held()) !== JSON.stringify(expected); i++) await setTimeout(10);
    return held();
  };
  /** What is held when nothing is under way any more. */
  const quiet = async () => {
    for (let i = 0; i < 200 && held().resources.length > 0; i++) await setTimeout(10);
    return held();
  };
  const hash = () => createHashEmbedder();
`;

export interface Ran extends Child {
  /** What lies in the folder of temporary files at the end. */
  readonly left: readonly string[];
}

/** Runs a program in a process with a folder for temporary files of its own. */
export async function run(program: string, args: readonly string[], flags: readonly string[] = []): Promise<Ran> {
  const temporary = path.join(folderOf(), 'tmp');
  mkdirSync(temporary);
  const child = await runChild(HELD + program, args, { env: { TMPDIR: temporary }, flags });
  return { ...child, left: readdirSync(temporary) };
}
