import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createClient, createHashEmbedder, openHost } from 'waymark';
import { createServer } from '#src/http/create-server.js';
import { folderOf } from '../support/folder.js';
import { describeOperations } from './operations-contract.js';

async function host() {
  const host = await openHost({
    database: path.join(folderOf(), 'waymark.db'),
    model: createHashEmbedder({ dimensions: 4096 }),
  });
  onTestFinished(() => host.close());
  const { id } = await host.createWorkspace('work');
  const bots = await host.workspace(id);
  const { id: one } = await bots.createBot('one');
  const { id: two } = await bots.createBot('two');
  const { id: three } = await bots.createBot('three');
  return { host, bots, workspaceId: id, botIds: [one, two, three] as const };
}

describeOperations('a host', async () => {
  const { host: it, bots, botIds } = await host();
  return { botIds, bots, files: (id) => it.bot(id) };
});

describeOperations('a client', async () => {
  const { host: it, botIds, workspaceId } = await host();
  const { token } = await it.createToken({ workspaceId, name: 'test', role: 'admin' });
  const server = await createServer(it, {});
  const apiUrl = await server.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(async () => {
    await server.close();
  });
  const options = { apiUrl, token, workspaceId };
  return {
    botIds,
    bots: createClient(options),
    files: async (botId) => createClient({ ...options, botId }),
  };
});
