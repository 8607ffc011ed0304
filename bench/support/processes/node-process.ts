import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { PACKAGE_ROOT } from '../folders/paths.js';

/**
 * Starts Node with a TypeScript file of the benchmark, bundled, so that no TypeScript loader is measured with it. The
 * process has `process.send` and `globalThis.gc`. `heapMiB` raises the limit of its JavaScript heap.
 */
export function startProcess(file: URL, { heapMiB }: { readonly heapMiB?: number } = {}): ChildProcess {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(file)],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const code = outputFiles.map(({ text }) => text).join('');
  const heap = heapMiB === undefined ? [] : [`--max-old-space-size=${heapMiB}`];
  // Code of --eval resolves packages from the working folder.
  return spawn(process.execPath, ['--expose-gc', ...heap, '--input-type=module', '--eval', code], {
    cwd: PACKAGE_ROOT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
}

/** The next message of a process. Throws if the process ends first. */
export async function replyOf<Reply>(child: ChildProcess): Promise<Reply> {
  const settled = new AbortController();
  const { signal } = settled;
  const exit = once(child, 'exit', { signal }).then(([code, by]) => {
    throw new Error(`A process of the benchmark ended with ${by ?? `code ${code}`}.`);
  });
  exit.catch(() => {});
  try {
    const [reply] = await Promise.race([once(child, 'message', { signal }), exit]);
    return reply as Reply;
  } finally {
    settled.abort();
  }
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
