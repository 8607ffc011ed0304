import { openEngine, openHost } from 'waymark';
import { createServer } from '#src/http/create-server.js';
import { moodyEmbedder } from './embedder.js';

/** The program of a process that works on a database: `library` or `service`. It answers calls by name. */
const [role, database = ''] = process.argv.slice(2);
const { embedder: model, be } = moodyEmbedder();
// biome-ignore lint/suspicious/noExplicitAny: arguments as they arrive
const calls: Record<string, (...given: any[]) => unknown> = { be };

if (role === 'library') {
  const engine = await openEngine({ database, model });
  Object.assign(calls, {
    indexFile: engine.indexFile.bind(engine),
    removeFile: engine.removeFile.bind(engine),
    indexFolder: engine.indexFolder.bind(engine),
    searchFiles: engine.searchFiles.bind(engine),
  });
  process.send?.({ ready: {} });
} else {
  // Creates the default bot and its workspace.
  await (await openEngine({ database, model })).close();
  const host = await openHost({ database, model });
  const server = await createServer(host, { requestsPerMinute: 10_000_000 });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const administration = await host.workspace();
  const [workspace] = await host.listWorkspaces();
  const { token } = await host.createToken({ workspaceId: workspace?.id ?? '', name: 'test', role: 'admin' });
  Object.assign(calls, {
    createBot: () => administration.createBot({ name: 'other' }),
    deleteBot: async () => (await host.workspace()).deleteBot({ id: 'other' }),
    idOf: async (id: string) => (await administration.getBot({ id })).bot.id,
    pending: () => host.status().pending,
  });
  process.send?.({ ready: { url, token } });
}

process.on('message', async ({ id, name, given }: { id: number; name: string; given: unknown[] }) => {
  try {
    process.send?.({ id, answer: await calls[name]?.(...given) });
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    process.send?.({ id, error: { code, message } });
  }
});

// The test that started it has ended.
process.on('disconnect', () => process.exit());
