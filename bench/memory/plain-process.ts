import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { PACKAGE_ROOT } from '../package-root.js';

/**
 * A Node process that runs a TypeScript file of the benchmark and nothing else: what runs the benchmark itself keeps a
 * compiler in each process, which would be measured with it. It has `process.send` and `globalThis.gc`.
 */
export function startPlain(file: URL): ChildProcess {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(file)],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const code = outputFiles.map(({ text }) => text).join('');
  // Code that is given by --eval finds packages from the working folder.
  return spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', code], {
    cwd: PACKAGE_ROOT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
}

/** The next message of a process. Throws where it ends before. */
export async function replyOf<Reply>(child: ChildProcess): Promise<Reply> {
  const ended = new AbortController();
  const { signal } = ended;
  const exit = once(child, 'exit', { signal }).then(([code, by]) => {
    throw new Error(`a process of the benchmark ended with ${by ?? `code ${code}`}`);
  });
  exit.catch(() => {});
  try {
    const [reply] = await Promise.race([once(child, 'message', { signal }), exit]);
    return reply as Reply;
  } finally {
    ended.abort();
  }
}

export async function stopPlain(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
