import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Watchers } from '#src/engine/folders/watchers.js';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';
import { until } from '../support/until.js';
import { untilFound, watching } from '../support/watching.js';

it('existing, saved, replaced, renamed and deleted files are followed', async () => {
  const { docs, engine } = await watching({ 'docs/a.md': 'yak' });
  await untilFound(engine, 'yak', ['docs/a.md']);
  writeFileSync(path.join(docs, 'b.md'), 'yak');
  await untilFound(engine, 'yak', ['docs/a.md', 'docs/b.md']);
  // As editors save: a temporary file takes the place of the other.
  writeFileSync(path.join(docs, '.b.md.swp'), 'owl');
  writeFileSync(path.join(docs, 'b.md~'), 'owl');
  renameSync(path.join(docs, 'b.md~'), path.join(docs, 'b.md'));
  await untilFound(engine, 'owl', ['docs/b.md']);
  renameSync(path.join(docs, 'b.md'), path.join(docs, 'c.md'));
  await untilFound(engine, 'owl', ['docs/c.md']);
  rmSync(path.join(docs, 'a.md'));
  await untilFound(engine, 'yak', []);
});

it('folders that are made, renamed and deleted are followed with their files', async () => {
  const { docs, engine } = await watching({});
  mkdirSync(path.join(docs, 'one/two'), { recursive: true });
  writeFileSync(path.join(docs, 'one/two/a.md'), 'yak');
  await untilFound(engine, 'yak', ['docs/one/two/a.md']);
  renameSync(path.join(docs, 'one'), path.join(docs, 'three'));
  await untilFound(engine, 'yak', ['docs/three/two/a.md']);
  rmSync(path.join(docs, 'three'), { recursive: true });
  await untilFound(engine, 'yak', []);
});

it('a file that takes the place of one with the same size and times is followed', async () => {
  const { root, docs, engine } = await watching({ 'docs/a.md': 'yak', 'b.md': 'owl' });
  const [place, other] = [path.join(docs, 'a.md'), path.join(root, 'b.md')];
  const { mtime } = statSync(place);
  // A file that was read after it was written: its access time is later than its modification.
  utimesSync(place, new Date(mtime.getTime() + 1000), mtime);
  utimesSync(other, new Date(mtime.getTime() + 1000), mtime);
  // Once a later change has been followed twice, no run is to come that would find the next one by chance.
  for (const [word, key] of [
    ['emu', 'c.md'],
    ['gnu', 'd.md'],
  ] as const) {
    writeFileSync(path.join(docs, key), word);
    await untilFound(engine, word, [`docs/${key}`]);
  }
  renameSync(other, place);
  await untilFound(engine, 'owl', ['docs/a.md']);
});

it('a file that takes the place of a link is followed, and so are its changes', async () => {
  const { root, docs, engine } = await watching({ 'target.md': 'yak' });
  const place = path.join(docs, 'a.md');
  symlinkSync(path.join(root, 'target.md'), place);
  writeFileSync(path.join(docs, 'b.md'), 'yak');
  await untilFound(engine, 'yak', ['docs/b.md']);
  rmSync(place);
  writeFileSync(place, 'owl');
  await untilFound(engine, 'owl', ['docs/a.md']);
  writeFileSync(place, 'emu');
  await untilFound(engine, 'emu', ['docs/a.md']);
});

it('a rule that excludes files removes them', async () => {
  const { docs, engine } = await watching({ 'docs/a.md': 'yak', 'docs/b.md': 'yak' });
  await untilFound(engine, 'yak', ['docs/a.md', 'docs/b.md']);
  writeFileSync(path.join(docs, '.waymarkignore'), 'b.md\n');
  await untilFound(engine, 'yak', ['docs/a.md']);
});

it('a rule of a parent folder in the same git repository removes files until it is withdrawn', async () => {
  const files = { '.git/HEAD': '', '.gitignore': '', 'docs/a.md': 'yak', 'docs/b.md': 'yak' };
  const { root, engine } = await watching(files);
  await untilFound(engine, 'yak', ['docs/a.md', 'docs/b.md']);
  writeFileSync(path.join(root, '.gitignore'), 'b.md');
  await untilFound(engine, 'yak', ['docs/a.md']);
  rmSync(path.join(root, '.gitignore'));
  await untilFound(engine, 'yak', ['docs/a.md', 'docs/b.md']);
  writeFileSync(path.join(root, '.waymarkignore'), 'a.md');
  await untilFound(engine, 'yak', ['docs/b.md']);
});

it('a folder that is added is watched, and one that is dropped is not', async () => {
  const { root, engine } = await watching({ 'docs/a.md': 'yak', 'more/b.md': 'owl' });
  await engine.addFolder(path.join(root, 'more'), { name: 'm' });
  await untilFound(engine, 'owl', ['m/b.md']);
  await engine.dropFolder('m');
  writeFileSync(path.join(root, 'more/c.md'), 'owl');
  writeFileSync(path.join(root, 'docs/c.md'), 'bat');
  await untilFound(engine, 'bat', ['docs/c.md']);
  await untilFound(engine, 'owl', []);
});

it('many files that change at once are all found', async () => {
  const { docs, engine } = await watching({});
  for (let i = 0; i < 700; i++) writeFileSync(path.join(docs, `${i}.md`), `yak ${i}`);
  await until(async () => (await engine.status()).files === 700);
});

it('a closed watcher follows no changes, and the engine remains usable', async () => {
  const { docs, engine, watcher } = await watching({ 'docs/a.md': 'yak' });
  await watcher.close();
  await watcher.close();
  writeFileSync(path.join(docs, 'a.md'), 'owl');
  await engine.indexFile('b.md', 'bat');
  await untilFound(engine, 'bat', ['b.md']);
  await untilFound(engine, 'owl', []);
});

it('an engine that is closed while it begins to watch leaves nothing open, and gives no warning', async () => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`docs/${i}/a.md`, 'yak']));
  const root = folderOf(files);
  const warnings: string[] = [];
  const database = path.join(root, 'waymark.db');
  const engine = await engineOf({ database, onWarning: (message) => warnings.push(message) });
  await engine.addFolder(path.join(root, 'docs'));
  const watched = () => process.getActiveResourcesInfo().filter((resource) => resource === 'FSEventWrap').length;
  const before = watched();
  const watching = engine.watch();
  await until(() => watched() > before);
  await engine.close();
  const watcher = await watching;
  await until(() => watched() === before);
  await watcher.close();
  expect(warnings).toEqual([]);
});

it('a watcher that can no longer list its folders warns once, and looks again every five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const warnings: string[] = [];
  let looks = 0;
  const watchers = new Watchers({
    list: async () => {
      if (looks++ > 0) throw new Error('The bot was deleted.');
      return [];
    },
    update: () => Promise.reject(new RangeError('there is nothing to update')),
    warn: (message) => warnings.push(message),
  });
  onTestFinished(() => watchers.close());
  await watchers.open({});
  await vi.advanceTimersByTimeAsync(11_000);
  expect(looks).toBe(4);
  expect(warnings).toEqual(['The folders could not be listed: The bot was deleted.']);
});

/** Watches a folder with one file; `update` says which of its files fail. */
async function failing(update: (changed: unknown) => readonly string[]) {
  const folder = {
    folder: 'docs',
    name: '',
    path: folderOf({ 'a.md': 'yak' }),
    tags: {},
    tagRules: [],
    ignore: [],
    seenAt: null,
  };
  const counts = { added: 0, updated: 0, moved: 0, removed: 0, unchanged: 1, warnings: [] };
  const reported: unknown[] = [];
  const watchers = new Watchers({
    list: async () => [folder],
    update: async (_, changed) => {
      const failed = update(changed).map((key) => ({ key, reason: 'no' }));
      return { ...folder, result: { ...counts, failed } };
    },
    warn: () => {},
  });
  onTestFinished(() => watchers.close());
  await watchers.open({ onUpdate: ({ result }) => reported.push(result?.failed.map(({ key }) => key)) });
  return { docs: folder.path, reported };
}

it('files that still cannot be read are not reported again when all files are compared again', async () => {
  const failures = [['b.md'], ['b.md'], ['b.md', 'c.md']];
  let updates = 0;
  const { docs, reported } = await failing(() => failures[updates++] ?? []);
  await until(() => updates > 0);
  for (const name of ['one', 'two']) {
    const before = updates;
    // A new folder makes all files be compared.
    mkdirSync(path.join(docs, name));
    await until(() => updates > before);
  }
  expect(reported).toEqual([['b.md'], ['b.md', 'c.md']]);
});

it('a file that fails is reported again once it is changed, but not when another one is', async () => {
  const updates: unknown[] = [];
  const { docs, reported } = await failing((changed) => {
    updates.push(changed);
    return ['b.md'];
  });
  await until(() => updates.includes('all'));
  const areMany: boolean[] = [];
  for (const key of ['a.md', 'b.md']) {
    await until(() => {
      // Again and again: what is written before the folder is watched is found by an update of all files.
      writeFileSync(path.join(docs, key), 'owl');
      return updates.some((changed) => Array.isArray(changed) && changed.includes(key));
    });
    areMany.push(reported.length > 1);
  }
  expect(areMany).toEqual([false, true]);
});

it('files are followed where chokidar polls, as on network file systems', async () => {
  vi.stubEnv('CHOKIDAR_USEPOLLING', '1');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const { docs, engine } = await watching({ 'docs/a.md': 'yak' });
  writeFileSync(path.join(docs, 'a.md'), 'an owl');
  await untilFound(engine, 'owl', ['docs/a.md']);
});

it('wrong options are INVALID_ARGUMENT', async () => {
  const engine = await engineOf();
  const given = { onUpdate: 'x' } as unknown as { onUpdate: () => void };
  await expect(engine.watch(given)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});
