import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { it, onTestFinished, vi } from 'vitest';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';
import { until } from '../support/until.js';
import { untilFound, watching } from '../support/watching.js';

it('a folder that a file or a loop of links replaces is followed', async () => {
  const { docs, engine } = await watching({ 'docs/a.md': 'yak', 'docs/one/b.md': 'yak', 'docs/two/c.md': 'yak' });
  await untilFound(engine, 'yak', ['docs/a.md', 'docs/one/b.md', 'docs/two/c.md']);
  rmSync(path.join(docs, 'one'), { recursive: true });
  writeFileSync(path.join(docs, 'one'), 'a file');
  rmSync(path.join(docs, 'two'), { recursive: true });
  symlinkSync('two', path.join(docs, 'two'));
  await untilFound(engine, 'yak', ['docs/a.md']);
  writeFileSync(path.join(docs, 'd.md'), 'yak');
  await untilFound(engine, 'yak', ['docs/a.md', 'docs/d.md']);
});

it('a file that takes the place of a folder with a name like a file removes the files in it', async () => {
  const { docs, engine } = await watching({ 'docs/a.md': 'emu' });
  await untilFound(engine, 'emu', ['docs/a.md']);
  rmSync(path.join(docs, 'a.md'));
  mkdirSync(path.join(docs, 'a.md'));
  writeFileSync(path.join(docs, 'a.md/inner.md'), 'yak');
  await untilFound(engine, 'yak', ['docs/a.md/inner.md']);
  rmSync(path.join(docs, 'a.md'), { recursive: true });
  writeFileSync(path.join(docs, 'a.md'), 'owl');
  await untilFound(engine, 'owl', ['docs/a.md']);
  await untilFound(engine, 'yak', []);
});

it('a watched folder that is deleted keeps its files until it is restored', async () => {
  const { docs, engine, outcomes } = await watching({ 'docs/a.md': 'yak', 'docs/b.md': 'yak' });
  await untilFound(engine, 'yak', ['docs/a.md', 'docs/b.md']);
  rmSync(docs, { recursive: true });
  await until(() => outcomes.some(({ problem }) => problem?.startsWith('No folder at ')));
  await untilFound(engine, 'yak', ['docs/a.md', 'docs/b.md']);
  mkdirSync(docs);
  writeFileSync(path.join(docs, 'b.md'), 'yak');
  await untilFound(engine, 'yak', ['docs/b.md']);
});

it('a watched folder that is moved away and soon moved back is followed', async () => {
  const { root, docs, engine } = await watching({ 'docs/a.md': 'yak' });
  await untilFound(engine, 'yak', ['docs/a.md']);
  renameSync(docs, path.join(root, 'away'));
  // Long enough for the system's event, and shorter than the time between two checks of the folder.
  for (let i = 0; i < 10; i++) await engine.search('yak', { mode: 'lexical' });
  renameSync(path.join(root, 'away'), docs);
  writeFileSync(path.join(docs, 'b.md'), 'owl');
  await untilFound(engine, 'owl', ['docs/b.md']);
  writeFileSync(path.join(docs, 'b.md'), 'owl yak');
  await untilFound(engine, 'yak', ['docs/a.md', 'docs/b.md']);
});

it.each<[string, (one: string, other: string) => void]>([
  ['is deleted first', (one) => rmSync(one, { recursive: true })],
  ['is moved away first', (one, other) => renameSync(one, other)],
  ['is empty', (one) => rmSync(path.join(one, 'a.md'))],
])('a folder that replaces another one is followed, and so are its changes: the former %s', async (_how, makeRoom) => {
  const { root, docs, engine } = await watching({ 'docs/one/a.md': 'yak', 'new/b.md': 'owl' });
  await untilFound(engine, 'yak', ['docs/one/a.md']);
  makeRoom(path.join(docs, 'one'), path.join(root, 'former'));
  renameSync(path.join(root, 'new'), path.join(docs, 'one'));
  await untilFound(engine, 'owl', ['docs/one/b.md']);
  await untilFound(engine, 'yak', []);
  writeFileSync(path.join(docs, 'one/c.md'), 'owl');
  await untilFound(engine, 'owl', ['docs/one/b.md', 'docs/one/c.md']);
});

it('a file that replaces a folder while a watch begins does not keep it from running or closing', async () => {
  const root = folderOf({ 'docs/one/a.md': 'yak', 'docs/b.md': 'owl' });
  const one = path.join(root, 'docs/one');
  const basename = path.basename.bind(path);
  let asked = 0;
  // The name is looked at for the third time after chokidar has found a folder, and before it reads that.
  const spy = vi.spyOn(path, 'basename').mockImplementation((place, ...rest) => {
    if (place === one && ++asked === 3) {
      rmSync(one, { recursive: true });
      writeFileSync(one, 'no folder');
    }
    return basename(place, ...rest);
  });
  onTestFinished(() => spy.mockRestore());
  const engine = await engineOf({ database: path.join(root, 'waymark.db') });
  await engine.addFolder(path.join(root, 'docs'));
  const watcher = await engine.watch();
  await until(() => asked >= 3);
  await untilFound(engine, 'owl', ['docs/b.md']);
  const before = asked;
  // The watch begins again, because it sees no more changes.
  await until(() => asked > before);
  writeFileSync(path.join(root, 'docs/c.md'), 'owl');
  await untilFound(engine, 'owl', ['docs/b.md', 'docs/c.md']);
  await watcher.close();
});
