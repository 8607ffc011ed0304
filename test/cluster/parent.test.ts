import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../support/until.js';

/** Starts a cluster of two, pauses one node, and says their process ids. */
const PROGRAM = `
  import { startCluster } from ${JSON.stringify(fileURLToPath(new URL('start.ts', import.meta.url)))};
  const cluster = await startCluster({ nodes: 2 });
  cluster.pause(1);
  console.log(JSON.stringify({ pids: [cluster.pid(0), cluster.pid(1)], folder: cluster.folder }));
`;

/** Whether a process exists that is not just waiting for its parent to read how it ended. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test.runIf(process.platform === 'linux')('nodes end with their parent when it is killed, paused ones too', async () => {
  const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [line] = (await once(createInterface(parent.stdout), 'line')) as [string];
  const { pids, folder } = JSON.parse(line) as { pids: number[]; folder: string };
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(pids.map(isAlive)).toEqual([true, true]);
  parent.kill('SIGKILL');
  await until(() => !pids.some(isAlive));
});
