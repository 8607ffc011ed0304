import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { openHost } from 'waymark';
import { PACKAGE_ROOT } from '../package-root.js';
import { UsageError } from '../usage-error.js';

/** What a caller needs to ask a bot. */
export interface Access {
  readonly workspaceId: string;
  readonly botId: string;
  readonly token: string;
}

/** A service in a process of its own. */
export interface Service {
  readonly apiUrl: string;
  stop(): Promise<void>;
}

/** A bot in a new database, and a token for it. */
export async function makeAccess(database: string): Promise<Access> {
  const host = await openHost({ database });
  try {
    const { id: workspaceId } = host.createWorkspace('bench');
    const { id: botId } = host.workspace(workspaceId).createBot('bench');
    const { token } = host.createToken({ workspaceId, name: 'bench', role: 'search', bots: [botId] });
    return { workspaceId, botId, token };
  } finally {
    await host.close();
  }
}

/** `waymark serve` over a database, once it answers. */
export async function startService(database: string): Promise<Service> {
  const port = await freePort();
  const cli = path.join(PACKAGE_ROOT, 'dist', 'cli', 'main.js');
  const limit = ['--rate-limit', '1000000'];
  const child = spawn(process.execPath, [cli, 'serve', '--database', database, '--port', String(port), ...limit], {
    stdio: 'ignore',
  });
  const apiUrl = `http://127.0.0.1:${port}`;
  while (!(await answers(`${apiUrl}/readyz`))) {
    if (child.exitCode !== null) throw new UsageError(`waymark serve ended with code ${child.exitCode}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    apiUrl,
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
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
