import { cpSync, mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createHashEmbedder, examine, openEngine } from 'waymark';
import { checkFreeSpace } from '#src/doctor/checks/free-space.js';
import { node } from '../support/command.js';
import { folderOf } from '../support/folder.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const REMEDY = 'npm install --foreground-scripts, which shows why a package cannot be built';

type Packages = Readonly<Record<string, string | undefined>>;

/** The JSON that a program prints with some packages missing, or replaced by a source text. */
async function printedWith(packages: Packages, program: string): Promise<unknown> {
  const folder = folderOf({ 'package.json': '{"type":"module"}' });
  cpSync(path.join(ROOT, 'dist'), path.join(folder, 'dist'), { recursive: true });
  mkdirSync(path.join(folder, 'node_modules'));
  for (const name of readdirSync(path.join(ROOT, 'node_modules'))) {
    if (name in packages) continue;
    symlinkSync(path.join(ROOT, 'node_modules', name), path.join(folder, 'node_modules', name));
  }
  for (const [name, source] of Object.entries(packages)) {
    if (source === undefined) continue;
    mkdirSync(path.join(folder, 'node_modules', name));
    writeFileSync(path.join(folder, 'node_modules', name, 'index.js'), source);
  }
  const { stdout, stderr } = await node(['--input-type=module', '--eval', program], { cwd: folder });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

/** The findings about native modules with some packages missing, or replaced by a source text. */
async function findingsWith(packages: Packages): Promise<unknown> {
  return printedWith(
    packages,
    `import { checkNativeModules } from './dist/doctor/checks/native-modules.js';
    console.log(JSON.stringify(checkNativeModules()));`,
  );
}

it('all native modules can be loaded', async () => {
  expect(await findingsWith({})).toEqual([
    {
      check: 'native modules',
      state: 'ok',
      message: 'better-sqlite3, onnxruntime-node, hnswlib-node can be loaded.',
    },
  ]);
});

it('a missing hnswlib-node is a warning, a missing onnxruntime-node is damage', async () => {
  expect(await findingsWith({ 'hnswlib-node': undefined, 'onnxruntime-node': undefined })).toEqual([
    {
      check: 'native modules',
      state: 'damaged',
      message:
        "onnxruntime-node cannot be loaded (Cannot find module 'onnxruntime-node'); without it no text can be embedded and only --mode lexical works.",
      remedy: REMEDY,
    },
    {
      check: 'native modules',
      state: 'warning',
      message:
        "hnswlib-node cannot be loaded (Cannot find module 'hnswlib-node'); without it every search scans all vectors, which is fast enough up to about 1,500,000 passages.",
      remedy: REMEDY,
    },
  ]);
});

it('a better-sqlite3 without its binary is damage', async () => {
  const failure = `throw new Error('Could not locate the bindings file.');`;
  const broken = `module.exports = class { constructor() { ${failure} } };`;
  expect(await findingsWith({ 'better-sqlite3': broken })).toEqual([
    {
      check: 'native modules',
      state: 'damaged',
      message: 'better-sqlite3 cannot be loaded (Could not locate the bindings file.); without it nothing works.',
      remedy: REMEDY,
    },
  ]);
});

it.each([
  [
    'missing',
    undefined,
    'better-sqlite3 is not installed: npm leaves out what it cannot build. See why with: npm install --foreground-scripts',
  ],
  [
    'broken',
    `throw new Error('Could not locate the bindings file.');`,
    `better-sqlite3 has no binary that Node.js ${process.versions.node} can load: build one with npm rebuild better-sqlite3. If your package manager blocks install scripts, allow that of better-sqlite3.`,
  ],
])('with better-sqlite3 %s no database opens, and the error says what to do', async (_state, source, message) => {
  const program = `import { openSqlite } from './dist/sqlite/connection/sqlite.js';
    try { openSqlite(':memory:'); } catch ({ code, message }) { console.log(JSON.stringify({ code, message })); }`;
  expect(await printedWith({ 'better-sqlite3': source }, program)).toEqual({ code: 'SQLITE_UNAVAILABLE', message });
});

it('a disk without room for a second copy of the database and its log is a warning', () => {
  const folder = folderOf({ 'small.db': 'x', 'small.db-wal': 'x' });
  expect(checkFreeSpace(path.join(folder, 'small.db'))).toMatchObject({ check: 'free space', state: 'ok' });
  // A sparse file: it takes no space on the disk.
  truncateSync(path.join(folder, 'small.db-wal'), 8 * 2 ** 40);
  expect(checkFreeSpace(path.join(folder, 'small.db'))).toEqual({
    check: 'free space',
    state: 'warning',
    message: expect.stringMatching(/^The database takes 8796\.1 GB; \d+\.\d [MG]B are free on its disk\.$/),
    remedy: `free at least 8796.1 GB on the disk of ${folder}`,
  });
});

it('what a database takes includes its log, also if a link leads to it', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  // While it is open, everything is in its log.
  const engine = await openEngine({ database, model: createHashEmbedder() });
  const link = path.join(folderOf(), 'link.db');
  symlinkSync(database, link);
  const [taken, takenByLink] = [await bytesTaken(database), await bytesTaken(link)];
  await engine.close();
  expect(taken).not.toBe('0.0 MB');
  expect(takenByLink).toBe(taken);
});

/** What the check of free space says that a database takes. */
async function bytesTaken(database: string): Promise<string | undefined> {
  const { findings } = await examine({ database, model: createHashEmbedder() });
  const finding = findings.find(({ check }) => check === 'free space');
  return /^The database takes (.*);/.exec(finding?.message ?? '')?.[1];
}
