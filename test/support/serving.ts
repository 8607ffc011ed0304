import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { startWaymark } from './command.js';

/** Starts `waymark serve` in a folder and waits until it listens; it is killed when the test has finished. */
export async function serving(cwd: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const child = startWaymark(['serve', '--port', '0', ...args], { cwd, env });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const written = { stdout: '', stderr: '' };
  child.stdout?.on('data', (data) => {
    written.stdout += data;
  });
  child.stderr?.on('data', (data) => {
    written.stderr += data;
  });
  const ended = once(child, 'exit');
  const said = async (pattern: RegExp, where: 'stdout' | 'stderr') => {
    for (;;) {
      const found = pattern.exec(written[where]);
      if (found) return found;
      await Promise.race([once(child[where] as NodeJS.ReadableStream, 'data'), ended]);
      if (child.exitCode !== null && !pattern.test(written[where])) throw new Error(written.stderr);
    }
  };
  const [, url = ''] = await said(/^Listening on (\S+);/m, 'stderr');
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code] = await ended;
    return code;
  };
  return { child, ended, url, written, said, stop };
}
