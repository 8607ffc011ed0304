import { expect, test } from 'vitest';
import { createClient } from 'waymark';
import { createClientWithClock } from '#src/client/create-client.js';
import { realClock } from '#src/client/retry.js';
import { refused } from './support/recorded.js';
import { TOKEN, wire } from './support/wire.js';

const STOPPED = { name: 'WaymarkError', code: 'ABORTED', message: 'The call was stopped.' };

test('a server that does not answer in time is an error with the next step, and not retried', async () => {
  const { client, url, lines } = await wire(['silence'], { timeout: 50 });
  await expect(client.getFile({ id: 'a.md' })).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    message: `The server at ${url} did not answer within 50 ms: try again, or pass createClient a longer timeout.`,
  });
  expect(lines.length).toBeLessThanOrEqual(1);
});

test('a signal that fired already stops a call before it is sent', async () => {
  const { client, lines } = await wire([]);
  const reason = new Error('enough');
  const ask = client.searchFiles({ query: 'a' }, { signal: AbortSignal.abort(reason) });
  await expect(ask).rejects.toMatchObject({ ...STOPPED, cause: reason });
  expect(lines).toEqual([]);
});

test('a signal that fired already stops a call that needs no request', async () => {
  const { client } = await wire([]);
  await expect(client.listFiles({ ids: [] }, { signal: AbortSignal.abort() })).rejects.toMatchObject(STOPPED);
});

test('a signal stops a call waiting for its answer', async () => {
  const stop = new AbortController();
  const client = createClientWithClock(
    {
      apiUrl: 'http://127.0.0.1:7333',
      token: TOKEN,
      botId: 'b',
      fetch(_, options) {
        stop.abort();
        return Promise.reject(options?.signal?.reason);
      },
    },
    realClock,
  );
  await expect(client.searchFiles({ query: 'a' }, { signal: stop.signal })).rejects.toMatchObject(STOPPED);
});

const ignoring: [string, typeof fetch][] = [
  ['a fetch', () => new Promise(() => {})],
  ['a body', async () => new Response(new ReadableStream())],
];

test.each(ignoring)('%s of the caller that ignores the signal ends with the time limit', async (_, fetch) => {
  const client = createClient({ apiUrl: 'http://127.0.0.1:7333', token: TOKEN, botId: 'b', timeout: 50, fetch });
  await expect(client.getFile({ id: 'a.md' })).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    message:
      'The server at http://127.0.0.1:7333 did not answer within 50 ms: try again, or pass createClient a longer timeout.',
  });
});

test.each(ignoring)('%s of the caller that ignores the signal ends with the signal of a call', async (_, fetch) => {
  const client = createClient({ apiUrl: 'http://127.0.0.1:7333', token: TOKEN, botId: 'b', fetch });
  const stop = new AbortController();
  const asked = client.getFile({ id: 'a.md' }, { signal: stop.signal });
  stop.abort();
  await expect(asked).rejects.toMatchObject(STOPPED);
});

test('a signal stops the wait for a retry', async () => {
  const stop = new AbortController();
  const { url, lines } = await wire([
    { ...refused(429, { type: 'RateLimited', message: 'Later.' }), headers: { 'RateLimit-Reset': '60' } },
  ]);
  const client = createClientWithClock(
    { apiUrl: url, token: TOKEN, botId: 'b' },
    {
      ...realClock,
      wait(milliseconds, signal) {
        const waiting = realClock.wait(milliseconds, signal);
        stop.abort();
        return waiting;
      },
    },
  );
  await expect(client.searchFiles({ query: 'a' }, { signal: stop.signal })).rejects.toMatchObject(STOPPED);
  expect(lines.length).toBe(1);
});
