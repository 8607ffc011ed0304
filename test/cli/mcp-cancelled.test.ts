import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, type Embedder, openEngine } from 'waymark';
import { ReopeningEngine } from '#src/cli/actions/mcp/reopening-engine.js';
import { createMcpServer } from '#src/cli/actions/mcp/server.js';
import { MAIN } from '../support/command.js';
import { folderOf } from '../support/folder.js';

/** A client of a server that never embeds a query. `asked` resolves with the signal of the first one. */
async function unanswered() {
  const hash = createHashEmbedder();
  let onAsked = (_signal: AbortSignal) => {};
  const asked = new Promise<AbortSignal>((resolve) => {
    onAsked = resolve;
  });
  const embedder: Embedder = {
    ...hash,
    embedQuery: (_text, { signal } = {}) => {
      if (signal) onAsked(signal);
      return new Promise(() => {});
    },
  };
  const options = { database: path.join(folderOf(), 'waymark.db'), model: embedder };
  const engine = await openEngine(options);
  await engine.indexFile('a.md', 'A yak.');
  await engine.close();
  const reopening = new ReopeningEngine(options);
  onTestFinished(() => reopening.close());
  const [own, other] = InMemoryTransport.createLinkedPair();
  await createMcpServer({ engine: reopening, budget: 1000 }).connect(other);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(own);
  return { client, reopening, asked };
}

test('a search that a client cancels is given up, down to the embedder', async () => {
  const { client, reopening, asked } = await unanswered();
  const cancel = new AbortController();
  const params = { name: 'search', arguments: { query: 'yak' } };
  const search = client.callTool(params, undefined, { signal: cancel.signal });
  const signal = await asked;
  cancel.abort();
  await expect(search).rejects.toThrow();
  await reopening.idle();
  expect(signal.aborted).toBe(true);
});

test('a search of a client that is gone is given up', async () => {
  const { client, reopening, asked } = await unanswered();
  const search = client.callTool({ name: 'search', arguments: { query: 'yak' } });
  const signal = await asked;
  await client.close();
  await expect(search).rejects.toThrow();
  await reopening.idle();
  expect(signal.aborted).toBe(true);
});

test('the server ends when nobody reads its answers, even if its input stays open', async () => {
  const server = spawn(process.execPath, [MAIN, 'mcp'], { cwd: folderOf(), stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void server.kill());
  const ping = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`;
  server.stdin.write(ping);
  await once(server.stdout, 'data');
  server.stdout.destroy();
  server.stdin.write(ping);
  expect(await once(server, 'exit')).toEqual([0, null]);
});
