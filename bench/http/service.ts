import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openHost } from 'waymark';
import { UsageError } from '../support/cli/usage-error.js';
import { PACKAGE_ROOT } from '../support/folders/paths.js';

/** What a client of a bot needs. */
export interface Access {
  readonly workspaceId: string;
  readonly botId: string;
  readonly token: string;
}

/** A running service. */
export interface Service {
  readonly apiUrl: string;
  stop(): Promise<void>;
}

/** Creates a bot in a new database, and a token for it. */
export async function createAccess(database: string): Promise<Access> {
  const host = await openHost({ database });
  try {
    const { id: workspaceId } = await host.createWorkspace('bench');
    const workspace = await host.workspace(workspaceId);
    const {
      bot: { id: botId },
    } = await workspace.createBot({ name: 'bench' });
    const { token } = await host.createToken({ workspaceId, name: 'bench', role: 'search', bots: [botId] });
    return { workspaceId, botId, token };
  } finally {
    await host.close();
  }
}

/** Starts `waymark serve` over a database and waits until it is ready. */
export async function startService(database: string): Promise<Service> {
  const port = await freePort();
  const cli = path.join(PACKAGE_ROOT, 'dist', 'cli', 'main.js');
  const args = ['serve', '--database', database, '--port', String(port), '--rate-limit', '1000000'];
  const child = spawn(process.execPath, [cli, ...args], { stdio: 'ignore' });
  const apiUrl = `http://127.0.0.1:${port}`;
  while (!(await isReady(apiUrl))) {
    if (child.exitCode !== null) throw new UsageError(`waymark serve ended with code ${child.exitCode}.`);
    await setTimeout(50);
  }
  return {
    apiUrl,
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function isReady(apiUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${apiUrl}/readyz`)).ok;
  } catch {
    // It does not listen yet.
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
