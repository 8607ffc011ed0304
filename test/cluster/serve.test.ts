import { once } from 'node:events';
import { request } from 'node:http';
import { Client, isApiError } from '@botpress/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createHashEmbedder, openHost } from 'waymark';
import { waymark } from '../support/command.js';
import { folderOf } from '../support/folder.js';
import { CLUSTER } from '../support/place.js';
import { serving } from '../support/serving.js';
import { until } from '../support/until.js';
import { startBalancer } from './balancer.js';

// The client would ask a proxy even for this machine.
process.env.NO_PROXY = '127.0.0.1';

const HOSTS = CLUSTER?.hosts.join(',') ?? '';

/** Sections that a model embeds for some seconds. */
const LARGE = Array.from(
  { length: 400 },
  (_, i) =>
    `## Pump ${i}\n\nPump ${i} moves ${i * 7} litres of water to basin ${i % 13} when its valve ${i} is open.\n`,
).join('\n');

describe('two services over one cluster, behind a balancer', () => {
  let workspaceId: string;

  beforeAll(async () => {
    const host = await openHost({ cluster: CLUSTER, model: createHashEmbedder() });
    ({ id: workspaceId } = await host.createWorkspace(`balanced ${Date.now()}`));
    await host.close();
  });

  afterAll(async () => {
    const host = await openHost({ cluster: CLUSTER, model: createHashEmbedder() });
    await host.deleteWorkspace(workspaceId);
    await host.close();
  });

  async function opened() {
    const cwd = folderOf();
    const grant = ['--workspace', workspaceId, '--role', 'admin', '--json', '--cluster', HOSTS];
    const { stdout } = await waymark(['token', 'create', 'ci', ...grant], { cwd });
    const { id: tokenId, token } = JSON.parse(stdout);
    const services = await Promise.all([0, 1].map(() => serving(cwd, ['--cluster', HOSTS])));
    const [a, b] = services as [(typeof services)[0], (typeof services)[0]];
    const balancer = await startBalancer([a.url, b.url]);
    onTestFinished(() => balancer[Symbol.asyncDispose]());
    const clientAt = (apiUrl: string, botId?: string) =>
      new Client({ apiUrl, token, workspaceId, ...(botId && { botId }), retry: { retries: 0 } });
    const { bot } = await clientAt(balancer.url).createBot({ name: `bot ${Date.now()}` });
    return { cwd, tokenId, a, b, balancer, botId: bot.id, at: (url: string) => clientAt(url, bot.id) };
  }

  async function indexed(client: Client, id: string): Promise<void> {
    await until(async () => (await client.getFile({ id })).file.status === 'indexing_completed');
  }

  it('give the same answers, and each knows what was created at the other', async () => {
    const { cwd, tokenId, a, b, balancer, at } = await opened();
    const client = at(balancer.url);
    for (const [key, content] of [
      ['kettle.md', '# Kettle\n\nIt boils water.\n\n## Care\n\nDescale it with vinegar.\n'],
      ['pump.md', '# Pump\n\nIt moves water to a basin.\n'],
    ] as const) {
      const { file } = await client.uploadFile({ key, content, index: true });
      await indexed(client, file.id);
    }
    for (const query of ['how do I clean the kettle', 'water']) {
      const [one, other] = await Promise.all([at(a.url).searchFiles({ query }), at(b.url).searchFiles({ query })]);
      expect(one.passages.length).toBeGreaterThan(0);
      expect(other).toEqual(one);
      expect(await client.searchFiles({ query })).toEqual(one);
    }
    const listed = [await at(a.url).listFiles({}), await at(b.url).listFiles({})];
    expect(listed[0]?.files.map(({ key }) => key).sort()).toEqual(['kettle.md', 'pump.md']);
    // Addresses name the service that was asked.
    expect(listed[1]?.files.map(({ url: _, ...file }) => file)).toEqual(
      listed[0]?.files.map(({ url: _, ...file }) => file),
    );
    expect(Math.min(...balancer.answered)).toBeGreaterThan(2);

    expect((await waymark(['token', 'revoke', tokenId, '--cluster', HOSTS], { cwd })).code).toBe(0);
    for (const { url } of [a, b]) {
      const refused = await at(url)
        .listFiles({})
        .catch((error: unknown) => error);
      expect([isApiError(refused), (refused as { code: number }).code]).toEqual([true, 401]);
    }
  });

  it('complete what a killed one had accepted, even while it was indexing and receiving', async () => {
    const { a, b, balancer, at } = await opened();
    const { file: half } = await at(a.url).upsertFile({ key: 'half.md', size: 1000, index: true });
    const { file: large } = await at(a.url).upsertFile({
      key: 'large.md',
      size: Buffer.byteLength(LARGE),
      index: true,
    });
    // Only a part arrives, which stays in a buffer.
    const sending = request(half.uploadUrl, { method: 'PUT', headers: { 'content-length': 1000 } });
    const broken = once(sending, 'response').catch((error: NodeJS.ErrnoException) => error.code);
    sending.write('a '.repeat(100));
    expect((await fetch(large.uploadUrl, { method: 'PUT', body: LARGE })).status).toBe(200);
    a.child.kill('SIGKILL');
    expect(await broken).toMatch(/ECONNRESET|EPIPE/);
    const client = at(balancer.url);
    expect((await client.getFile({ id: large.id })).file.status).toBe('indexing_pending');
    expect((await client.getFile({ id: half.id })).file.status).toBe('upload_pending');
    // The address that one service has given accepts the upload at the other.
    const again = half.uploadUrl.replace(a.url, balancer.url);
    expect((await fetch(again, { method: 'PUT', body: 'a '.repeat(500) })).status).toBe(200);
    for (const { id } of [half, large]) await indexed(client, id);
    const { passages } = await at(b.url).searchFiles({ query: 'valve 377', limit: 1, contextDepth: 0 });
    expect(passages[0]?.content).toContain('valve 377');
    const listed = await client.list.filePassages({ id: large.id }).collect();
    expect(new Set(listed.map(({ meta }) => meta.position)).size).toBe(listed.length);
    expect(
      listed
        .map(({ content }) => content)
        .join('\n')
        .match(/litres/g),
    ).toHaveLength(400);
  });
});
