import { existsSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { createHashEmbedder, createIncomingEvent, examine, openEngine, openHost, withKnowledge } from 'waymark';
import { childrenWith, listsChildren } from '../support/children.js';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';
import { heldEmbedder } from '../support/held-embedder.js';
import { runModule } from '../support/node.js';
import { until } from '../support/until.js';
import { CALLS, PASSAGES } from './calls.js';

/** What is not called by users, or ends the engine. */
const OTHERS = ['constructor', 'indexUpload', 'replacePassages', 'assertUsable', 'close'];

test('every call with a signal that has fired is ABORTED, and changes nothing', async () => {
  const engine = await engineOf();
  await engine.addFolder(folderOf({ 'b.md': 'apples' }), { name: 'docs' });
  await engine.indexFolders();
  await engine.indexFile('a.md', 'apples');
  const before = [await engine.status(), await engine.listFolders(), await engine.listBots()];
  expect(Object.getOwnPropertyNames(Object.getPrototypeOf(engine)).sort()).toEqual(
    [...Object.keys(CALLS), ...OTHERS].sort(),
  );
  const reason = new Error('enough');
  for (const [name, call] of Object.entries(CALLS)) {
    await expect(call(engine, { signal: AbortSignal.abort(reason) }), name).rejects.toMatchObject({
      code: 'ABORTED',
      message: 'The call was stopped.',
      cause: reason,
    });
  }
  expect([await engine.status(), await engine.listFolders(), await engine.listBots()]).toEqual(before);
});

test('every call refuses a signal that is not an AbortSignal', async () => {
  const engine = await engineOf();
  for (const [name, call] of Object.entries(CALLS)) {
    await expect(call(engine, { signal: 'stop' as never }), name).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: 'signal must be an AbortSignal; it is "stop".',
    });
  }
});

it.each<[string, 'passages' | 'queries']>([
  ['indexFile', 'passages'],
  ['setPassages', 'passages'],
  ['search', 'queries'],
  ['searchFiles', 'queries'],
])('a signal ends %s even if the embedder never answers', async (name, held) => {
  const { embedder, asked } = heldEmbedder({ held });
  const engine = await engineOf({ model: embedder });
  const stop = new AbortController();
  const rejected = expect(CALLS[name]?.(engine, { signal: stop.signal })).rejects.toMatchObject({ code: 'ABORTED' });
  await asked;
  stop.abort();
  await rejected;
  expect(await engine.keys()).toEqual([]);
});

test.skipIf(!listsChildren).each(['indexFile', 'setPassages', 'indexFolder'])(
  'a signal ends %s while a text is parsed, and the next text is indexed',
  async (name) => {
    const engine = await engineOf();
    const folder = folderOf({ 'a.md': 'pears' });
    const calls: Record<string, () => Promise<unknown>> = {
      indexFile: () => engine.indexFile('a.md', 'pears', { signal }),
      setPassages: () => engine.setPassages(PASSAGES, { signal }),
      indexFolder: () => engine.indexFolder(folder, { signal }),
    };
    let stopped: readonly number[] = [];
    // A parser that has been idle for too long has ended.
    for (let i = 0; stopped.length === 0; i++) {
      await engine.indexFile('first.md', `apples ${i}`);
      stopped = childrenWith('parser-program');
    }
    const stop = new AbortController();
    const { signal } = stop;
    try {
      for (const pid of stopped) process.kill(pid, 'SIGSTOP');
      const refused = expect(calls[name]?.()).rejects.toMatchObject({ code: 'ABORTED' });
      await setImmediate();
      stop.abort();
      await refused;
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
    }
    await engine.indexFile('next.md', 'grapes');
    expect([...(await engine.keys())].sort()).toEqual(['first.md', 'next.md']);
  },
);

test('a signal of AbortSignal.timeout ends a call as one of a controller does', async () => {
  const { embedder } = heldEmbedder({ held: 'passages' });
  const engine = await engineOf({ model: embedder });
  const call = engine.indexFile('a.md', 'pears', { signal: AbortSignal.timeout(1) });
  await expect(call).rejects.toMatchObject({ code: 'ABORTED', cause: { name: 'TimeoutError' } });
});

test('a call that waits for its turn ends with its signal; the run before it goes on', async () => {
  const { embedder, asked, letGo } = heldEmbedder({ held: 'passages' });
  const engine = await engineOf({ model: embedder });
  const folder = folderOf({ 'a.md': 'pears' });
  const running = engine.indexFolder(folder);
  await asked;
  const stop = new AbortController();
  const waiting = expect(engine.indexFolder(folder, { signal: stop.signal })).rejects.toMatchObject({
    code: 'ABORTED',
    message: 'Nothing was changed.',
  });
  stop.abort();
  await waiting;
  letGo();
  expect(await running).toMatchObject({ added: 1 });
});

test('a folder whose dropping was stopped at any moment can be dropped again', async () => {
  const files = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`${i}.md`, `apples ${i}`]));
  const folder = folderOf(files);
  const engine = await engineOf();
  await fc.assert(
    fc.asyncProperty(fc.nat(30), async (turns) => {
      await engine.indexFolder(folder);
      const stop = new AbortController();
      const dropping = engine.dropFolder(folder, { signal: stop.signal }).catch((error) => error);
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      stop.abort();
      const outcome = await dropping;
      if (outcome instanceof Error) {
        expect(outcome).toMatchObject({ code: 'ABORTED' });
        expect(await engine.listFolders()).toMatchObject([{ path: folder }]);
        await engine.dropFolder(folder);
      }
      expect([await engine.listFolders(), await engine.keys()]).toEqual([[], []]);
    }),
    { numRuns: 20 },
  );
});

test('the signal of watch ends the watch', async () => {
  const engine = await engineOf();
  await engine.addFolder(folderOf({ 'a.md': 'apples' }), { name: 'docs' });
  const stop = new AbortController();
  let updates = 0;
  const watcher = await engine.watch({ signal: stop.signal, onUpdate: () => updates++ });
  await until(() => updates > 0);
  stop.abort();
  await watcher.close();
  expect(await engine.keys()).toEqual(['docs/a.md']);
});

test('what opens or examines a database is stopped by a signal that has fired', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  await (await openEngine({ database, model: createHashEmbedder() })).close();
  const options = { database, signal: AbortSignal.abort() };
  for (const open of [openEngine, openHost, examine]) {
    await expect(open(options)).rejects.toMatchObject({ code: 'ABORTED' });
  }
});

test.each([
  ['openEngine', openEngine],
  ['openHost', openHost],
])('a signal that fires while the model is read ends %s, and no database is made', async (_, open) => {
  const database = path.join(folderOf(), 'waymark.db');
  const stop = new AbortController();
  const opening = open({ database, signal: stop.signal });
  stop.abort();
  await expect(opening).rejects.toMatchObject({ code: 'ABORTED' });
  expect(existsSync(database)).toBe(false);
});

test('withKnowledge is stopped by its signal', async () => {
  const stop = new AbortController();
  const event = createIncomingEvent({
    botId: 'bot',
    direction: 'incoming',
    type: 'text',
    payload: {},
    preview: 'pears',
  });
  const known = withKnowledge(event, {
    search: { searchFiles: () => new Promise(() => {}) },
    knowledgeBases: [{ name: 'docs' }],
    signal: stop.signal,
    onError: () => {},
  });
  stop.abort();
  await expect(known).rejects.toMatchObject({ code: 'ABORTED' });
});

test('a host is closed by the end of its `await using`', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  let opened: Awaited<ReturnType<typeof openHost>>;
  {
    await using host = await openHost({ database, model: createHashEmbedder() });
    opened = host;
    await host.createWorkspace('acme');
  }
  expect(() => opened.status()).toThrow('The host is closed');
});

test('deleting a bot is stopped while it has files, and can be repeated', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  await using host = await openHost({ database, model: createHashEmbedder() });
  const workspace = await host.createWorkspace('acme');
  const bots = await host.workspace(workspace.id);
  const { bot } = await bots.createBot({ name: 'support' });
  const files = await host.bot(bot.id);
  await files.uploadFile({ key: 'a.md', content: 'apples', index: true });
  const signal = AbortSignal.abort();
  for (const call of [
    () => files.listFiles({}, { signal }),
    () => files.uploadFile({ key: 'b.md', content: 'pears', index: true }, { signal }),
    () => files.copyFile({ id: 'a.md', destinationKey: 'b.md' }, { signal }),
    () => files.deleteFile({ id: 'a.md' }, { signal }),
    () => bots.deleteBot({ id: bot.id }, { signal }),
    () => host.deleteWorkspace(workspace.id, { signal }),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: 'ABORTED' });
  }
  expect((await files.listFiles()).files.map(({ key }) => key)).toEqual(['a.md']);
  await host.deleteWorkspace(workspace.id);
  expect(await host.listWorkspaces()).toEqual([]);
});

test('many calls may share a signal: Node does not warn of a leak', async () => {
  const program = `
    import { createHashEmbedder, openEngine } from 'waymark';
    const engine = await openEngine({ database: process.argv[1], model: createHashEmbedder() });
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 20 }, () => engine.search('apples', { signal })));
    await engine.close();`;
  const { code, stderr } = await runModule(program, [path.join(folderOf(), 'waymark.db')]);
  expect([code, stderr]).toEqual([0, '']);
});
