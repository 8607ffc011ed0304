import path from 'node:path';
import { expect, it } from 'vitest';
import { folderOf } from '../support/folder.js';
import { run } from './held.js';
import { DOCS } from './outlives.js';
import { tell, times } from './torture.js';

function database(): string {
  return path.join(folderOf(), 'waymark.db');
}

it('a closed engine leaves no handle, timer, process or temporary file', async () => {
  const program = `
    const [, database, docs] = process.argv;
    const work = async (options) => {
      const engine = await openEngine({ database, index: 'hnsw', processes: 2, ...options });
      await engine.indexFolder(docs);
      await engine.indexFile('new.md', 'pears ' + performance.now());
      await engine.search('apples');
      const busy = held();
      await engine.close();
      await engine.close();
      return busy;
    };
    await work({});
    const before = await quiet();
    const busy = await work({});
    tell('busy', busy.children);
    tell('before', before);
    tell('after', await settled(before));`;
  const { code, stderr, told, left } = await run(program, [database(), folderOf(DOCS)]);
  expect([code, stderr, left]).toEqual([0, '', []]);
  expect(told.after).toEqual({ ...told.before, resources: [], children: 0 });
  if (process.platform === 'linux') expect(told.busy).toBeGreaterThan(1);
});

it('a closed host leaves nothing, whatever its bots are doing', async () => {
  const program = `
    const [, database] = process.argv;
    const work = async (rounds) => {
      const host = await openHost({ database, model: hash(), index: 'hnsw' });
      const [workspace = await host.createWorkspace('acme')] = await host.listWorkspaces();
      const administration = await host.workspace(workspace.id);
      const { bots } = await administration.listBots();
      const { id } = bots[0] ?? (await administration.createBot({ name: 'support' })).bot;
      const files = await host.bot(id);
      await files.uploadFile({ key: 'a.md', content: 'apples ' + rounds, index: true });
      const searching = files.searchFiles({ query: 'apples' }).catch((error) => error.code);
      for (let i = 0; i < rounds; i++) await setImmediate();
      const opening = host.bot(id).then((bot) => bot.index.coverage()).catch((error) => error.code);
      await Promise.all([host.close(), host.close()]);
      await host.close();
      await Promise.all([searching, opening]);
      return [
        await outcome(() => host.bot(id)),
        await outcome(() => host.createWorkspace('late')),
        await outcome(() => host.listWorkspaces()),
        await outcome(() => files.listFiles()),
        await outcome(() => files.uploadFile({ key: 'b.md', content: 'b' })),
      ].map(({ name, code }) => name + ' ' + code);
    };
    await work(1000);
    const before = await quiet();
    const late = new Set();
    for (const rounds of [0, 1, 2, 5, 10, 100]) for (const code of await work(rounds)) late.add(code);
    tell('late', [...late]);
    tell('before', before);
    tell('after', await settled(before));`;
  const { code, stderr, told, left } = await run(program, [database()]);
  expect([code, stderr, left]).toEqual([0, '', []]);
  expect(told.after).toEqual({ ...told.before, resources: [], children: 0 });
  expect(told.late).toEqual(['WaymarkError ENGINE_CLOSED']);
});

it('a service and its client leave nothing, even with keep-alive connections', async () => {
  const program = `
    import net from 'node:net';
    import { createClient } from 'waymark';
    import { createServer } from '#src/http/create-server.js';
    const [, database] = process.argv;
    const work = async () => {
      const host = await openHost({ database, model: hash() });
      const app = await createServer(host);
      const apiUrl = await app.listen({ host: '127.0.0.1', port: 0 });
      const [workspace = await host.createWorkspace('acme')] = await host.listWorkspaces();
      const workspaceId = workspace.id;
      const administration = await host.workspace(workspaceId);
      const { bots } = await administration.listBots();
      const botId = (bots[0] ?? (await administration.createBot({ name: 'support' })).bot).id;
      const { token } = await host.createToken({ workspaceId, name: 'test', role: 'admin' });
      const client = createClient({ apiUrl, token, workspaceId, botId });
      await client.uploadFile({ key: 'a.md', content: 'apples', index: true });
      await client.searchFiles({ query: 'apples' });
      const idle = net.connect(Number(new URL(apiUrl).port), '127.0.0.1');
      await new Promise((resolve) => idle.once('connect', resolve));
      const ended = new Promise((resolve) => idle.once('close', resolve));
      const asked = client.searchFiles({ query: 'pears' }).catch(() => {});
      await app.close();
      await host.close();
      await asked;
      await ended;
    };
    await work();
    const before = await quiet();
    for (let i = 0; i < 3; i++) await work();
    tell('before', before);
    tell('after', await settled(before));`;
  const { code, stderr, told, left } = await run(program, [database()]);
  expect([code, stderr, left]).toEqual([0, '', []]);
  expect(told.after).toEqual({ ...told.before, resources: [], children: 0 });
});

it('closing at any moment of opening, indexing or searching ends everything that was started', async () => {
  const program = `
    const [, folder, docs, most] = process.argv;
    const codes = new Set();
    const attempt = async (i) => {
      const database = path.join(folder, i + '.db');
      const model = i % 6 === 0 ? undefined : hash();
      const engine = await openEngine({ database, model, processes: 1, index: 'hnsw' });
      const calls = [
        engine.indexFolder(docs),
        engine.search('apples'),
        engine.indexFile('new.md', 'pears'),
        engine.searchFiles({ query: 'apples', consolidate: true }),
      ].map((call) => call.then(() => codes.add('done'), (error) => codes.add(error.name + ' ' + error.code)));
      for (let turn = 0; turn < i * 7; turn++) await setImmediate();
      await Promise.all([engine.close(), engine.close()]);
      await Promise.all(calls);
    };
    await attempt(600);
    const before = await quiet();
    for (let i = 0; i < Number(most); i++) await attempt(i);
    tell('codes', [...codes].sort());
    tell('before', before);
    tell('after', await settled(before));`;
  const most = times(8, 200);
  const { code, stderr, told, left } = await run(program, [folderOf(), folderOf(DOCS), String(most)]);
  expect([code, stderr, left]).toEqual([0, '', []]);
  expect(told.codes).toEqual(['WaymarkError ENGINE_CLOSED', 'done']);
  expect(told.after).toEqual({ ...told.before, resources: [], children: 0 });
  tell(`closed at ${most} moments of indexing and searching: nothing left`);
});

it('memory does not grow when engines are opened and closed repeatedly', async () => {
  const program = `
    const [, database, docs, most] = process.argv;
    const rounds = Number(most);
    const sizes = [];
    const files = [];
    for (let i = 0; i < rounds; i++) {
      const engine = await openEngine({ database, model: hash(), index: 'hnsw' });
      if (i % 10 === 0) await engine.indexFolder(docs);
      await engine.search('apples ' + i);
      await engine.close();
      if (i < rounds / 5) continue;
      gc();
      const { heapUsed, external, rss } = process.memoryUsage();
      sizes.push([heapUsed + external, rss]);
      files.push(count('/proc/self/fd'));
    }
    const [heap, rss] = [0, 1].map((which) => sizes.at(-1)[which] - sizes[0][which]);
    tell('grown', { heap, rss, files: Math.max(...files) - files[0] });`;
  const rounds = times(50, 500);
  const { code, stderr, told } = await run(program, [database(), folderOf(DOCS), String(rounds)], ['--expose-gc']);
  expect([code, stderr]).toEqual([0, '']);
  expect(told.grown.files).toBe(0);
  expect(told.grown.heap).toBeLessThan(4_000_000);
  expect(told.grown.rss).toBeLessThan(100_000_000);
  tell(
    `opened and closed ${rounds} times: heap grew by ${told.grown.heap} bytes, memory by ${told.grown.rss}, open files by 0`,
  );
});
