import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createClient, createHashEmbedder, type Host, openHost } from 'waymark';
import { createServer } from '#src/http/create-server.js';
import { CLUSTER } from '../support/place.js';
import { describeOperations } from './operations-contract.js';

/** One host for all tests: each has a workspace of its own, which sees nothing of the others. */
let host: Host;
let server: Awaited<ReturnType<typeof createServer>>;
let apiUrl: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-test-'));
  const place = CLUSTER ? { cluster: CLUSTER } : { database: path.join(folder, 'waymark.db') };
  host = await openHost({ ...place, model: createHashEmbedder({ dimensions: 4096 }) });
  server = await createServer(host, {});
  apiUrl = await server.listen({ port: 0, host: '127.0.0.1' });
});

afterAll(async () => {
  await server.close();
  await host.close();
  rmSync(folder, { recursive: true });
});

/** A name that no earlier run over the same cluster has used. */
let workspaces = Date.now();

async function workspace() {
  workspaces += 1;
  const { id } = await host.createWorkspace(`work ${workspaces}`);
  if (CLUSTER) onTestFinished(() => host.deleteWorkspace(id));
  const bots = await host.workspace(id);
  const {
    bot: { id: one },
  } = await bots.createBot({ name: 'one' });
  const {
    bot: { id: two },
  } = await bots.createBot({ name: 'two' });
  const {
    bot: { id: three },
  } = await bots.createBot({ name: 'three' });
  return { bots, workspaceId: id, botIds: [one, two, three] as const };
}

// A client passes through the host, so over a cluster, which is slower, the client alone is enough.
if (!CLUSTER) {
  describeOperations('a host', async () => {
    const { bots, workspaceId, botIds } = await workspace();
    return { botIds, bots, workspaces: bots, workspaceId, files: (id) => host.bot(id) };
  });
}

describeOperations('a client', async () => {
  const { botIds, workspaceId } = await workspace();
  const { token } = await host.createToken({ workspaceId, name: 'test', role: 'admin' });
  const options = { apiUrl, token, workspaceId };
  return {
    botIds,
    bots: createClient(options),
    workspaces: createClient({ apiUrl, token }),
    workspaceId,
    files: async (botId) => createClient({ ...options, botId }),
  };
});
