import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { times } from './torture.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface ChildOptions {
  /** Whom it runs as: who is not root is bound by permissions. */
  readonly user?: number;
  /** How many files it may have open. */
  readonly openFiles?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Node's own. */
  readonly flags?: readonly string[];
}

export interface Child {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  /** What it told, in order. */
  // biome-ignore lint/suspicious/noExplicitAny: tests compare what they expect with whatever came
  readonly told: any;
}

/** At the beginning of every program: it tells by `tell`, and `outcome` is what a call gave, or the code it failed with. */
const PRELUDE = `
  import fs from 'node:fs';
  import path from 'node:path';
  import { createHashEmbedder, openEngine, openHost } from 'waymark';
  const told = {};
  const tell = (name, value) => { told[name] = value; };
  const outcome = async (call) => {
    try { return await call(); } catch (error) { return { code: error.code, message: error.message, name: error.name }; }
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
        timeout: times(60_000, 20 * 60_000),
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
