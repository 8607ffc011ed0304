import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from 'waymark';
import { startWaymark, waymark } from '../support/command.js';
import { folderOf } from '../support/folder.js';
import { send } from './raw-http.js';
import { TORTURE, tell } from './torture.js';

/** Texts of 64 KB that are costly to parse. */
const HOSTILE = [
  '*a_ ',
  '[',
  '> ',
  '- a\n  ',
  '`',
  '| a ',
  '<a b="',
  'e\u0301\u0323',
  '![[',
  '&amp',
  '***a',
  '\\[',
].map((unit) => unit.repeat(Math.ceil(65_536 / unit.length)));

/** Reports the longest stall of the service's event loop, in milliseconds, when it stops. */
const MONITOR = `
  import { monitorEventLoopDelay } from 'node:perf_hooks';
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread && process.argv[2] === 'serve') {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    setTimeout(() => delay.enable(), 3000).unref();
    process.on('exit', () => process.stderr.write('longest stall ' + Math.round(delay.max / 1e6) + ' ms\\n'));
  }`;

interface Tenant {
  readonly botId: string;
  readonly token: string;
}

/** A service in a process of its own with the bundled model, and two tenants. */
async function serving() {
  const cwd = folderOf({ 'monitor.mjs': MONITOR });
  const tenantOf = async (name: string): Promise<Tenant> => {
    const json = async (args: readonly string[]) => JSON.parse((await waymark([...args, '--json'], { cwd })).stdout);
    await json(['workspace', 'create', name]);
    const { id: botId } = await json(['bot', 'create', 'support', '--workspace', name]);
    const { token } = await json(['token', 'create', name, '--workspace', name, '--role', 'member']);
    return { botId, token };
  };
  const [greedy, modest] = [await tenantOf('greedy'), await tenantOf('modest')];
  const env = { NODE_OPTIONS: `--import ${pathToFileURL(path.join(cwd, 'monitor.mjs'))}` };
  const child = startWaymark(['serve', '--port', '0', '--rate-limit', '1000000'], { cwd, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr?.on('data', (data) => {
    stderr += data;
  });
  while (!/^Listening on/m.test(stderr)) await once(child.stderr as NodeJS.ReadableStream, 'data');
  const [, url = ''] = /^Listening on (\S+);/m.exec(stderr) ?? [];
  const stop = async () => {
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
    return Number(/longest stall (\d+) ms/.exec(stderr)?.[1]);
  };
  return { url, pid: child.pid as number, greedy, modest, stop };
}

function clientOf(apiUrl: string, { botId, token }: Tenant) {
  return createClient({ apiUrl, botId, token });
}

/** Megabytes of memory of a process; 0 if they are unknown. */
function memoryOf(pid: number): number {
  if (process.platform !== 'linux') return 0;
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}

/** A real service is too slow for `npm test`, which holds the order of turns in test/host/fairness.test.ts. */
const torture = test.runIf(TORTURE);

torture('a small upload is found while another bot indexes hostile ones', async () => {
  const { url, greedy, modest, stop } = await serving();
  const [sends, small] = [clientOf(url, greedy), clientOf(url, modest)];
  await small.uploadFile({ key: 'warm.md', content: 'A warm start.', index: true });
  const waits: number[] = [];
  for (const [i, content] of HOSTILE.entries()) {
    const uploads = Array.from({ length: 8 }, (_, j) => `${i}-${j}.md`);
    await Promise.all(uploads.map((key) => sends.uploadFile({ key, content, index: true })));
    const start = performance.now();
    const query = `kettle number ${i}`;
    await small.uploadFile({ key: `${i}.md`, content: query, index: true });
    const isFound = async () =>
      (await small.searchFiles({ query, tags: {} })).passages.some((p) => p.content === query);
    while (!(await isFound()));
    waits.push(performance.now() - start);
  }
  const stall = await stop();
  tell(`tenants: 15 bytes beside ${8 * waits.length} hostile uploads found after ${ms(waits)} at most`);
  tell(`tenants: longest stall of the event loop beside hostile uploads ${stall} ms`);
});

torture('200 concurrent uploads keep no search waiting', async () => {
  const { url, greedy, modest, stop } = await serving();
  const [sends, asks] = [clientOf(url, greedy), clientOf(url, modest)];
  await asks.uploadFile({ key: 'a.md', content: 'A kettle.', index: true });
  const count = 200;
  const content = `# Kettles\n\n${'A kettle boils water. '.repeat(100)}`;
  let left = count;
  for (let i = 0; i < count; i += 1) {
    const uploading = sends.uploadFile({ key: `${i}.md`, content: `${content}${i}`, index: true });
    uploading.finally(() => {
      left -= 1;
    });
  }
  const waits: number[] = [];
  while (left > 0) {
    const start = performance.now();
    await asks.searchFiles({ query: 'kettle' });
    waits.push(performance.now() - start);
  }
  const stall = await stop();
  tell(
    `tenants: ${count} uploads at once, ${waits.length} searches meanwhile, ${ms(waits)} at most; stall ${stall} ms`,
  );
});

torture('a large upload keeps no search waiting', async () => {
  const { url, greedy, modest, stop } = await serving();
  const [sends, asks] = [clientOf(url, greedy), clientOf(url, modest)];
  await asks.uploadFile({ key: 'a.md', content: 'A kettle.', index: true });
  const content = Array.from({ length: 10_000 }, (_, i) => `# Kettle ${i}\n\n${'It boils water. '.repeat(i % 12)}`);
  await sends.uploadFile({ key: 'large.md', content: content.join('\n\n'), index: true });
  const waits: number[] = [];
  do {
    const start = performance.now();
    await asks.searchFiles({ query: 'kettle' });
    waits.push(performance.now() - start);
  } while ((await sends.listFiles({})).files.some(({ status }) => status === 'indexing_pending'));
  const stall = await stop();
  tell(
    `tenants: a file of 10,000 headings, ${waits.length} searches meanwhile, ${ms(waits)} at most; stall ${stall} ms`,
  );
});

torture('memory does not grow over mixed requests during hostile uploads', async () => {
  const { url, pid, greedy, modest, stop } = await serving();
  const sends = clientOf(url, greedy);
  const asks = clientOf(url, modest);
  await asks.uploadFile({ key: 'a.md', content: 'A kettle boils water.', index: true });
  const headers = { authorization: `Bearer ${modest.token}`, 'x-bot-id': modest.botId };
  const endless = `GET /v1/files HTTP/1.1\r\nHost: localhost\r\nX-A: `;
  const requests: ((i: number) => Promise<unknown>)[] = [
    () => asks.searchFiles({ query: 'kettle' }),
    (i) => asks.searchFiles({ query: `kettle ${i}`, limit: 50, contextDepth: 10 }),
    () => asks.listFiles({}),
    (i) => asks.uploadFile({ key: `b${i % 20}.md`, content: `Kettle ${i}.`, index: true }),
    (i) => asks.updateFileMetadata({ id: 'a.md', metadata: { i } }),
    () => send(url, { method: 'GET', path: '/v1/files/search?limit=x', headers }),
    () => send(url, { method: 'PUT', path: '/v1/files', headers, body: '{'.repeat(1000) }),
    () => send(url, { method: 'GET', path: '/metrics' }),
    (i) => asks.getFile({ id: `missing-${i}` }).catch(() => {}),
    // Half a request, which the caller gives up.
    async () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      socket.write(endless + 'a'.repeat(10_000));
      socket.destroySoon();
    },
  ];
  const [count, parts] = [10_000, 4];
  const memory: number[] = [];
  for (let part = 0; part < parts; part += 1) {
    const hostile = HOSTILE.map((content, i) => sends.uploadFile({ key: `h${i}.md`, content, index: true }));
    for (let i = 0; i < count / parts; i += 10) {
      await Promise.all(requests.map((request, j) => request(part * count + i + j)));
    }
    await Promise.all(hostile);
    while ((await sends.listFiles({})).files.some(({ status }) => status === 'indexing_pending')) await setTimeout(100);
    memory.push(memoryOf(pid));
  }
  const stall = await stop();
  tell(`tenants: ${count} mixed requests beside hostile uploads: ${memory.join(', ')} MB; longest stall ${stall} ms`);
  // The first part is warm-up; processes that have not retired yet make the difference.
  const [, second = 0, , last = 0] = memory;
  expect(last).toBeLessThan(1.5 * second + 200);
});

function ms(times: readonly number[]): string {
  return `${Math.round(Math.max(...times))} ms`;
}
