import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, type Embedder, openEngine } from 'waymark';
import { createMcpHttp } from '#src/cli/actions/mcp/http.js';
import { ReopeningEngine } from '#src/cli/actions/mcp/reopening-engine.js';
import { createMcpServer } from '#src/cli/actions/mcp/server.js';
import { send } from '../reliability/raw-http.js';
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
  await createMcpServer({ engine: reopening, botPlace: {}, budget: 1000 }).connect(other);
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

test('a search of a client that has disconnected is given up', async () => {
  const { client, reopening, asked } = await unanswered();
  const search = client.callTool({ name: 'search', arguments: { query: 'yak' } });
  const signal = await asked;
  await client.close();
  await expect(search).rejects.toThrow();
  await reopening.idle();
  expect(signal.aborted).toBe(true);
});

/** Sends messages to a server over HTTP, as a client that has greeted it. */
async function sessionOf(url: URL) {
  let session = {};
  const post = async (body: object) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...session };
    const sent = { method: 'POST', path: '/mcp', headers, body: JSON.stringify({ jsonrpc: '2.0', ...body }) };
    const { status, headers: got, text } = await send(url.href, sent);
    return { status, session: got['mcp-session-id'], body: text === '' ? undefined : JSON.parse(text) };
  };
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const greeted = await post({ id: 0, method: 'initialize', params });
  session = { 'mcp-session-id': String(greeted.session) };
  return { post, id: greeted.session };
}

test('over HTTP, a call is cancelled by a later request of its client, and by no other', async () => {
  const { reopening, asked } = await unanswered();
  const server = createMcpHttp({ engine: reopening, botPlace: {}, budget: 1000 }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  const [client, other] = [await sessionOf(url), await sessionOf(url)];
  expect(client.id).not.toBe(other.id);
  const search = { id: 1, method: 'tools/call', params: { name: 'search', arguments: { query: 'yak' } } };
  const running = client.post(search);
  const signal = await asked;
  const cancel = { method: 'notifications/cancelled', params: { requestId: 1 } };
  expect(await other.post(cancel)).toMatchObject({ status: 202 });
  expect(signal.aborted).toBe(false);
  expect(await client.post(cancel)).toMatchObject({ status: 202 });
  const error = { code: -32000, message: 'The call was cancelled.' };
  expect(await running).toMatchObject({ status: 200, body: { jsonrpc: '2.0', id: 1, error } });
  await reopening.idle();
  expect(signal.aborted).toBe(true);
  expect((await client.post({ id: 2, method: 'ping' })).body).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
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
