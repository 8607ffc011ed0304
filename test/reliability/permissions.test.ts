import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createHashEmbedder, openEngine } from 'waymark';
import { folderOf, writeFiles } from '../support/folder.js';
import { runChild } from './child.js';
import { checked, SOUND } from './outlives.js';

/** Root ignores permissions, and only root can change to another user: otherwise these tests are skipped. */
const NOBODY = 65_534;
const mayBecomeNobody = process.getuid?.() === 0;

const DOCS = { 'a.md': '# A\n\nThe word apples.', 'sub/b.md': '# B\n\nThe word apples, and pears.' };

const FOUND = [
  ['The word apples.', expect.any(Number)],
  ['The word apples, and pears.', expect.any(Number)],
];

/** A folder with an index of two files, and the files, all owned by nobody. */
async function indexed(): Promise<{ folder: string; docs: string; file: string }> {
  const root = folderOf();
  const [folder, docs] = [path.join(root, 'index'), path.join(root, 'docs')];
  mkdirSync(folder);
  writeFiles(docs, DOCS);
  const file = path.join(folder, 'waymark.db');
  const engine = await openEngine({ database: file, model: createHashEmbedder() });
  await engine.indexFolder(docs);
  await engine.close();
  for (const name of ['.', ...readdirSync(root, { recursive: true, encoding: 'utf8' })]) {
    chownSync(path.join(root, name), NOBODY, NOBODY);
  }
  return { folder, docs, file };
}

const REMEDY = 'it is read-only: make it and its folder writable, open it, then restore the permissions.';

const CHECK = 'check its permissions and those of the folders above it';

const OPEN = `
  const [, file, docs] = process.argv;
  const folder = path.dirname(file);
  const open = () => openEngine({ database: file, model: createHashEmbedder() });
`;

describe.skipIf(!mayBecomeNobody)('without permission (requires root)', () => {
  it('a read-only database is searched, rejects writes, and says why', async () => {
    const { file, docs } = await indexed();
    chmodSync(file, 0o444);
    const program = `${OPEN}
      const engine = await open();
      tell('found', await answers(engine));
      tell('indexFile', await outcome(() => engine.indexFile('c.md', 'text')));
      tell('removeFile', await outcome(() => engine.removeFile('a.md')));
      tell('again', await answers(engine));
      await engine.close();
      // SQLite creates the files beside a database with its permissions.
      for (const end of ['', '-wal', '-shm']) fs.chmodSync(file + end, 0o644);
      const writable = await open();
      tell('afterwards', await outcome(() => writable.indexFile('c.md', 'text')));
      await writable.close();`;
    const { told, stderr, code } = await runChild(program, [file, docs], { user: NOBODY });
    const refused = {
      name: 'WaymarkError',
      code: 'DATABASE_UNWRITABLE',
      message: expect.stringMatching(
        /waymark\.db cannot be opened or written \(.*readonly.*: check .* those of the -wal and -shm files beside it/,
      ),
    };
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('Error:')]);
    expect(told).toEqual({
      found: FOUND,
      indexFile: refused,
      removeFile: refused,
      again: FOUND,
      afterwards: { outcome: 'added', warnings: [] },
    });
    expect(checked(file)).toEqual({ sound: SOUND, files: 3 });
  });

  it('indexed files that cannot be read are distinguished from changed and deleted ones', async () => {
    const { file, docs } = await indexed();
    const program = `${OPEN}
      const engine = await open();
      fs.chmodSync(path.join(docs, 'a.md'), 0);
      fs.writeFileSync(path.join(docs, 'sub', 'c.md'), 'new');
      fs.chmodSync(path.join(docs, 'sub'), 0);
      tell('files', await engine.changes());
      fs.writeFileSync(path.join(docs, 'd.md'), 'new');
      fs.chmodSync(docs, 0);
      tell('folder', await engine.changes());
      fs.chmodSync(docs, 0o755);
      await engine.close();`;
    const { told, code } = await runChild(program, [file, docs], { user: NOBODY });
    const unreadable = { added: [], changed: [], removed: [], unreadable: ['a.md', 'sub/b.md'], gone: [] };
    expect([code, told]).toEqual([0, { files: unreadable, folder: unreadable }]);
  });

  it('a read-only database with a bot without files is opened', async () => {
    const { file } = await indexed();
    const engine = await openEngine({ database: file, model: createHashEmbedder() });
    await engine.createBot({ name: 'empty' });
    await engine.close();
    await (await openEngine({ database: file, bot: 'empty', model: createHashEmbedder() })).close();
    chmodSync(file, 0o444);
    const program = `
      const [, file] = process.argv;
      const engine = await openEngine({ database: file, bot: 'empty', model: createHashEmbedder() });
      tell('found', await answers(engine));
      await engine.close();`;
    const { told, code } = await runChild(program, [file], { user: NOBODY });
    expect([code, told]).toEqual([0, { found: [] }]);
  });

  it('a read-only database of an earlier release says that it must be updated, and is left unchanged', async () => {
    const { file, docs } = await indexed();
    writeFileSync(file, gunzipSync(readFileSync(new URL('schema-6.db.gz', import.meta.url))));
    chmodSync(file, 0o444);
    const before = readFileSync(file);
    const { told, code } = await runChild(`${OPEN} tell('open', await outcome(open));`, [file, docs], { user: NOBODY });
    expect([code, told.open]).toEqual([
      0,
      {
        name: 'WaymarkError',
        code: 'DATABASE_UNWRITABLE',
        message: `${file} was written by an earlier Waymark and must be updated once, but ${REMEDY}`,
      },
    ]);
    expect(readFileSync(file)).toEqual(before);
  });

  it('a database in a read-only folder is searched, rejects writes, and is unchanged', async () => {
    const { folder, file, docs } = await indexed();
    chmodSync(folder, 0o555);
    const before = readFileSync(file);
    const program = `${OPEN}
      const engine = await open();
      tell('found', await answers(engine));
      tell('indexFile', await outcome(() => engine.indexFile('c.md', 'text')));
      tell('indexFolder', await outcome(() => engine.indexFolder(docs, { force: true })));
      tell('again', await answers(engine));
      await engine.close();
      tell('left', fs.readdirSync(folder));`;
    const { told, code, stderr } = await runChild(program, [file, docs], { user: NOBODY });
    const refused = {
      name: 'WaymarkError',
      code: 'DATABASE_UNWRITABLE',
      message: `${file} is in a read-only folder, so it can be searched but not changed: make it and its folder writable and open the index again, or copy the database to another folder.`,
    };
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('could not be compacted')]);
    expect(told).toEqual({
      found: FOUND,
      indexFile: refused,
      indexFolder: refused,
      again: FOUND,
      left: ['waymark.db'],
    });
    expect(readFileSync(file)).toEqual(before);
  });

  it('a folder that becomes read-only does not affect an open engine', async () => {
    const { file, docs } = await indexed();
    const program = `${OPEN}
      const engine = await open();
      await engine.search('apples');
      fs.chmodSync(folder, 0o555);
      tell('found', await answers(engine));
      tell('indexFile', await outcome(() => engine.indexFile('c.md', 'text')));
      tell('other', await outcome(async () => {
        const other = await open();
        try { return await answers(other); } finally { await other.close(); }
      }));
      await engine.close();
      fs.chmodSync(folder, 0o755);`;
    const { told, code } = await runChild(program, [file, docs], { user: NOBODY });
    expect([code, told.found, told.indexFile]).toEqual([0, FOUND, { outcome: 'added', warnings: [] }]);
    // The files that SQLite needs beside the database exist, so another process can read, too.
    expect(told.other).toEqual(expect.arrayContaining(FOUND));
    expect(checked(file)).toEqual({ sound: SOUND, files: 3 });
  });

  it.each(['file', 'folder'])('an unreadable %s fails with DATABASE_UNWRITABLE', async (what) => {
    const { folder, file, docs } = await indexed();
    chmodSync(what === 'file' ? file : folder, 0o000);
    const program = `${OPEN}
      tell('open', await outcome(open));
      const model = createHashEmbedder();
      tell('existing', await outcome(() => openEngine({ database: file, create: false, model })));`;
    const { told } = await runChild(program, [file, docs], { user: NOBODY });
    expect(told.existing).toEqual(told.open);
    expect(told.open).toMatchObject({ name: 'WaymarkError', code: 'DATABASE_UNWRITABLE' });
    expect(told.open.message).toMatch(/waymark\.db cannot be opened or written .*: check its folder, its permissions/);
    expect(statSync(file).size).toBeGreaterThan(0);
  });

  it('a command does not skip a .waymark folder that it may not search', async () => {
    const { docs } = await indexed();
    const own = path.join(docs, '.waymark');
    mkdirSync(own, { mode: 0o000 });
    const program = `
      import { spawnSync } from 'node:child_process';
      const [, cwd] = process.argv;
      const main = path.resolve('dist/cli/main.js');
      for (const command of [['search', 'apples'], ['status'], ['doctor']]) {
        const { status, stderr } = spawnSync(process.execPath, [main, ...command], { cwd, encoding: 'utf8' });
        tell(command[0], [status, stderr]);
      }`;
    const { told } = await runChild(program, [docs], { user: NOBODY });
    const denied = /^\S+\.waymark\/waymark\.db cannot be opened or written \(EACCES: .*: check its folder, its permiss/;
    const refused = [4, expect.stringMatching(denied)];
    expect(told).toEqual({ search: refused, status: refused, doctor: refused });
  });

  it('a command says what to do about a configuration or questions that it may not read', async () => {
    const { docs } = await indexed();
    writeFiles(docs, { '.waymark/config.json': '{}', 'q.jsonl': '' });
    for (const name of ['.waymark/config.json', 'q.jsonl']) chmodSync(path.join(docs, name), 0o600);
    const program = `
      import { spawnSync } from 'node:child_process';
      const [, cwd] = process.argv;
      const main = path.resolve('dist/cli/main.js');
      for (const command of [['config'], ['eval', 'q.jsonl', '--database', 'other.db']]) {
        const { status, stderr } = spawnSync(process.execPath, [main, ...command], { cwd, encoding: 'utf8' });
        tell(command[0], [status, stderr]);
      }`;
    const { told } = await runChild(program, [docs], { user: NOBODY });
    expect(told).toEqual({
      config: [2, `.waymark/config.json cannot be read (EACCES): ${CHECK}.\n`],
      eval: [2, `q.jsonl cannot be read (EACCES: permission denied): ${CHECK}.\n`],
    });
  });

  it('a folder that could not be watched is read once it may be, while other files change', async () => {
    const { file, docs } = await indexed();
    const program = `${OPEN}
      const engine = await open();
      fs.writeFileSync(path.join(docs, 'sub/c.md'), 'plums');
      fs.chmodSync(path.join(docs, 'sub'), 0o000);
      const watcher = await new Promise((resolve) => {
        const watching = engine.watch({ onUpdate: () => resolve(watching) });
      });
      fs.chmodSync(path.join(docs, 'sub'), 0o755);
      const isFound = async () => (await engine.search('plums', { mode: 'lexical' })).length > 0;
      for (let i = 0; !(await isFound()); i++) {
        fs.writeFileSync(path.join(docs, 'a.md'), 'apples ' + i);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      tell('found', true);
      await watcher.close();
      await engine.close();`;
    expect(await runChild(program, [file, docs], { user: NOBODY })).toMatchObject({ code: 0, told: { found: true } });
  });

  it('unreadable files and folders are reported, stay indexed, and are updated once readable', async () => {
    const { file, docs } = await indexed();
    const program = `${OPEN}
      const engine = await open();
      fs.chmodSync(path.join(docs, 'a.md'), 0o000);
      fs.utimesSync(path.join(docs, 'a.md'), 1, 1);
      fs.chmodSync(path.join(docs, 'sub'), 0o000);
      const { failed, ...counts } = await engine.indexFolder(docs);
      tell('failed', failed);
      tell('counts', counts);
      tell('found', await answers(engine));
      fs.chmodSync(docs, 0o000);
      tell('root', await outcome(() => engine.indexFolder(docs)));
      tell('found again', await answers(engine));
      fs.chmodSync(docs, 0o755);
      fs.chmodSync(path.join(docs, 'a.md'), 0o644);
      fs.chmodSync(path.join(docs, 'sub'), 0o755);
      tell('afterwards', await engine.indexFolder(docs));
      await engine.close();`;
    const { told, code } = await runChild(program, [file, docs], { user: NOBODY });
    expect([code, told]).toEqual([
      0,
      {
        failed: [
          { key: 'a.md', reason: `it cannot be read (EACCES): ${CHECK}` },
          { key: 'sub/', reason: `it cannot be read (EACCES): ${CHECK}` },
        ],
        counts: { added: 0, updated: 0, moved: 0, removed: 0, unchanged: 0, warnings: [] },
        found: FOUND,
        root: {
          name: 'WaymarkError',
          code: 'FOLDER_MISSING',
          message: `${docs} cannot be read: ${CHECK}.`,
        },
        'found again': FOUND,
        afterwards: { added: 0, updated: 0, moved: 0, removed: 0, unchanged: 2, failed: [], warnings: [] },
      },
    ]);
  });
});
