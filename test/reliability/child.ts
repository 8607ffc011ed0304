import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { times } from './torture.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface ChildOptions {
  /** User id to run as: only root ignores permissions. */
  readonly user?: number;
  /** Maximum number of open files. */
  readonly openFiles?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node itself. */
  readonly flags?: readonly string[];
}

export interface Child {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  /** What it recorded with `tell`, by name. */
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it with what they expect
  readonly told: any;
}

/** Prepended to every program: `tell` records a value, and `outcome` is the result of a call, or its error. */
const PRELUDE = `
  import fs from 'node:fs';
  import path from 'node:path';
  import { createHashEmbedder, openEngine, openHost } from 'waymark';
  const told = {};
  const tell = (name, value) => { told[name] = value; };
  const outcome = async (call) => {
    try { return await call(); } catch ({ code, message, name }) { return { code, message, name }; }
  };
  const answers = async (engine) =>
    (await engine.search('the word apples', { limit: 5 })).map(({ score, passage }) => [passage.content, score]);
  process.on('exit', () => fs.writeSync(1, JSON.stringify(told)));
`;

/** Runs an ES module in a process of its own; `process.argv[1]` is the first argument. */
export function runChild(program: string, args: readonly string[], options: ChildOptions = {}): Promise<Child> {
  const { user, openFiles, env, flags = [] } = options;
  const command = [process.execPath, ...flags, '--input-type=module', '--eval', PRELUDE + program, ...args];
  const limited = ['/bin/sh', '-c', `ulimit -n ${openFiles}; exec "$0" "$@"`, ...command];
  const [file = '', ...rest] = openFiles === undefined ? command : limited;
  return new Promise((resolve) => {
    const child = execFile(
      file,
      rest,
      {
        cwd: ROOT,
        env: { ...process.env, ...env },
        timeout: times(600_000, 20 * 60_000),
        ...(user !== undefined && { uid: user, gid: user }),
      },
      (_error, stdout, stderr) =>
        resolve({
          code: child.exitCode,
          signal: child.signalCode,
          stderr,
          told: stdout === '' ? undefined : JSON.parse(stdout),
        }),
    );
  });
}
