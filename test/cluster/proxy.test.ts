import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../support/until.js';
import { type PortProxy, startProxy } from './proxy.js';

/** A proxy in front of a server that sends back what it receives. */
async function echo(): Promise<{ proxy: PortProxy; received: () => string }> {
  let received = '';
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('data', (piece) => {
      received += piece;
    });
    socket.on('error', () => {});
    socket.pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxy = await startProxy((server.address() as AddressInfo).port);
  onTestFinished(async () => {
    await proxy.close();
    server.close();
  });
  return { proxy, received: () => received };
}

async function connected({ port }: PortProxy): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

test('a proxy forwards in both directions, including the end of what is sent', async () => {
  const { proxy } = await echo();
  const sent = 'x'.repeat(1_000_000);
  const socket = await connected(proxy);
  socket.end(sent);
  expect(await text(socket)).toBe(sent);
  await until(() => proxy.connections === 0);
});

test('a proxy that drops keeps connections open and passes on nothing until it forwards again', async () => {
  const { proxy, received } = await echo();
  const socket = await connected(proxy);
  socket.write('before ');
  await once(socket, 'data');
  proxy.mode = 'drop';
  socket.write('meanwhile');
  const other = await connected(proxy);
  other.write(' other');
  await until(() => proxy.connections === 2);
  expect(received()).toBe('before ');
  expect([socket.closed, other.closed]).toEqual([false, false]);
  proxy.mode = 'forward';
  await until(() => received().includes('meanwhile') && received().includes('other'));
});

test('a proxy that refuses resets connections, and accepts new ones when it forwards again', async () => {
  const { proxy } = await echo();
  const socket = await connected(proxy);
  await until(() => proxy.connections === 1);
  const reset = once(socket, 'error');
  proxy.mode = 'refuse';
  expect(await reset).toMatchObject([{ code: 'ECONNRESET' }]);
  const late = connect(proxy.port, '127.0.0.1');
  expect(await once(late, 'error')).toMatchObject([{ code: 'ECONNRESET' }]);
  proxy.mode = 'forward';
  const again = await connected(proxy);
  again.end('again');
  expect(await text(again)).toBe('again');
});

test('a proxy with a delay keeps the order of pieces', async () => {
  const { proxy } = await echo();
  proxy.delay = 20;
  const socket = await connected(proxy);
  for (const piece of ['a', 'b', 'c']) socket.write(piece);
  socket.end();
  expect(await text(socket)).toBe('abc');
});

test('a connection to a port where nobody listens ends with a reset', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const proxy = await startProxy(port);
  onTestFinished(() => proxy.close());
  const socket = connect(proxy.port, '127.0.0.1');
  expect(await once(socket, 'error')).toMatchObject([{ code: 'ECONNRESET' }]);
});
