import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { IndexFolderResult, SearchEngine } from 'waymark';
import { readRegular } from '#src/indexing/read-file.js';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';
import { tell, times } from './torture.js';

const REPLACED = 'it was replaced by something else after it was found: index the folder again';
const SECRET = 'xylophone';

/** Everything reported about an indexed folder: nothing outside the folder may appear in it. */
async function told(engine: SearchEngine, result: IndexFolderResult): Promise<string> {
  const { passages } = await engine.searchFiles({ query: SECRET });
  return JSON.stringify([passages, result, await engine.status()]);
}

/** Indexes a folder that changes after it was walked and before its files are read. */
async function indexChanging(engine: SearchEngine, folder: string, change: () => void): Promise<IndexFolderResult> {
  let changed = false;
  return engine.indexFolder(folder, {
    onProgress: () => {
      if (!changed) change();
      changed = true;
    },
  });
}

describe.skipIf(process.platform === 'win32')('a folder with entries that are not files', () => {
  it('is indexed without reading FIFOs, sockets and devices, or waiting for them', async () => {
    const folder = folderOf({ 'a.md': '# A\n\ntext', 'sub/b.md': '# B\n\ntext' });
    for (const name of ['fifo.md', 'sub/fifo.md', '.gitignore']) execFileSync('mkfifo', [path.join(folder, name)]);
    const server = createServer().listen(path.join(folder, 'socket.md'));
    onTestFinished(() => void server.close());
    symlinkSync('/dev/zero', path.join(folder, 'zero.md'));
    symlinkSync('/dev/zero', path.join(folder, 'sub', '.gitignore'));
    const engine = await engineOf();
    expect(await engine.indexFolder(folder)).toMatchObject({ added: 2, failed: [], warnings: [] });
  });

  it('is indexed without following links that lead out of it, in circles or nowhere', async () => {
    const outside = folderOf({ 'private-name.md': `# Secret\n\n${SECRET}`, rules: '*.md' });
    const folder = folderOf({ 'a.md': '# A\n\ntext', 'sub/b.md': '# B\n\ntext' });
    symlinkSync(outside, path.join(folder, 'outside'));
    symlinkSync('..', path.join(folder, 'sub', 'above'));
    symlinkSync(path.join(outside, 'private-name.md'), path.join(folder, 'link.md'));
    symlinkSync('loop.md', path.join(folder, 'loop.md'));
    symlinkSync('gone', path.join(folder, 'gone.md'));
    symlinkSync('/', path.join(folder, 'root'));
    // Ignore rules of the link's target would exclude everything.
    symlinkSync(path.join(outside, 'rules'), path.join(folder, '.gitignore'));
    const engine = await engineOf();
    const result = await engine.indexFolder(folder);
    expect(result).toMatchObject({ added: 2, failed: [] });
    expect(await told(engine, result)).not.toContain(SECRET);
  });
});

describe.skipIf(process.platform === 'win32')(
  'a change between finding and reading is reported, and nothing outside the folder is read:',
  () => {
    const text = { 'a.md': '# A\n\ntext', 'sub/private-name.md': 'mine' };

    it.each<[what: string, change: (folder: string, outside: string) => void]>([
      [
        'a folder becomes a link',
        (folder, outside) => {
          renameSync(path.join(folder, 'sub'), path.join(folder, 'was'));
          symlinkSync(outside, path.join(folder, 'sub'));
        },
      ],
      [
        'a file becomes a link',
        (folder, outside) => {
          rmSync(path.join(folder, 'sub/private-name.md'));
          symlinkSync(path.join(outside, 'private-name.md'), path.join(folder, 'sub/private-name.md'));
        },
      ],
      [
        'a file becomes a FIFO',
        (folder) => {
          rmSync(path.join(folder, 'sub/private-name.md'));
          execFileSync('mkfifo', [path.join(folder, 'sub/private-name.md')]);
        },
      ],
      [
        'a file becomes a folder',
        (folder) => {
          rmSync(path.join(folder, 'sub/private-name.md'));
          mkdirSync(path.join(folder, 'sub/private-name.md'));
        },
      ],
    ])('%s', async (_, change) => {
      const outside = folderOf({ 'private-name.md': `# Secret\n\n${SECRET}` });
      const folder = folderOf(text);
      const engine = await engineOf();
      const result = await indexChanging(engine, folder, () => change(folder, outside));
      expect(result).toMatchObject({ added: 1, failed: [{ key: 'sub/private-name.md', reason: REPLACED }] });
      expect((await engine.searchFiles({ query: SECRET })).passages.map(({ file }) => file.key)).not.toContain(
        'sub/private-name.md',
      );
      // Nothing is lost: the next run finds the folder as it is.
      const next = await engine.indexFolder(folder);
      expect(JSON.stringify([next, await engine.searchFiles({ query: SECRET })])).not.toContain(SECRET);
    });

    it('a file that vanishes fails alone, and a rewritten file is read as it is now', async () => {
      const folder = folderOf({ 'a.md': 'one', 'b.md': 'two', 'c.md': 'three' });
      const engine = await engineOf();
      const result = await indexChanging(engine, folder, () => {
        rmSync(path.join(folder, 'a.md'));
        writeFileSync(path.join(folder, 'b.md'), 'a much longer text than before');
      });
      expect(result).toMatchObject({ added: 2, failed: [{ key: 'a.md', reason: expect.stringContaining('ENOENT') }] });
      const { passages } = await engine.searchFiles({ query: 'longer' });
      expect(passages[0]?.content).toBe('a much longer text than before');
    });

    it('a file that grows beyond the limit is rejected and not read any further', async () => {
      const folder = folderOf({ 'a.md': 'one', 'b.md': 'two' });
      const engine = await engineOf();
      const result = await indexChanging(engine, folder, () => truncateSync(path.join(folder, 'a.md'), 100 * 2 ** 30));
      expect(result).toMatchObject({
        added: 1,
        failed: [{ key: 'a.md', reason: 'The text must have at most 64 MB: split it' }],
      });
    });

    it('the size limit is exact to the byte', async () => {
      const file = path.join(folderOf({ 'a.md': 'x'.repeat(1000) }), 'a.md');
      expect((await readRegular(file, 1000))?.length).toBe(1000);
      appendFileSync(file, 'x');
      expect(await readRegular(file, 1000)).toBeUndefined();
    });

    it('folders that are replaced by links and back during the run', async () => {
      const outside = folderOf({ 'private-name.md': `# Secret\n\n${SECRET}`, 'deep/private-name.md': SECRET });
      const files = Object.fromEntries(
        Array.from({ length: 40 }, (_, i) => [`sub${i % 8}/f${i}.md`, `# F ${i}\n\ntext`]),
      );
      const folder = folderOf(files);
      const engine = await engineOf();
      const names = readdirSync(folder);
      const swap = (name: string) => {
        const [place, kept] = [path.join(folder, name), path.join(folder, `.${name}`)];
        try {
          renameSync(place, kept);
          symlinkSync(outside, place);
        } catch {
          // It is a link at the moment: restore the folder.
          rmSync(place, { force: true, recursive: true });
          renameSync(kept, place);
        }
      };
      const runs = times(8, 200);
      let turn = 0;
      for (let run = 0; run < runs; run++) {
        const swapping = setInterval(() => swap(names[turn++ % names.length] ?? ''), 0);
        const result = await engine.indexFolder(folder).finally(() => clearInterval(swapping));
        expect(await told(engine, result)).not.toContain(SECRET);
      }
      tell(`folder: ${runs} runs over folders turned into links ${turn} times: nothing of outside read`);
    });
  },
);

describe('unusual names', () => {
  it('are keys: 255 bytes, differing in case or Unicode form only, with shell or SQL syntax', async () => {
    const names = [
      `${'n'.repeat(252)}.md`,
      `${'ä'.repeat(126)}.md`,
      ...['a.md', 'A.md', 'é.md', 'e\u0301.md', "'; DROP TABLE files; --.md", '%00.md', '__proto__.md', '*.md'],
      ...['constructor.md', ' .md', 'a\\b.md', '$(rm).md', '👩‍👩‍👧.md', '\u202Ecod.md', '-rf.md', 'COM1.md'],
    ];
    const folder = folderOf(Object.fromEntries(names.map((name) => [name, `# ${SECRET}\n\ntext`])));
    // A file system may treat two of them as the same name.
    const there = readdirSync(folder).sort();
    const engine = await engineOf();
    expect(await engine.indexFolder(folder)).toMatchObject({ added: there.length, failed: [] });
    const { passages } = await engine.searchFiles({ query: SECRET, limit: 50 });
    expect(passages.map(({ file }) => file.key).sort()).toEqual(there);
    for (const key of there) expect(await engine.removeFile(key)).toBe(true);
  });

  it.skipIf(process.platform !== 'linux')(
    'that cannot be keys are reported, and the other files are indexed',
    async () => {
      const folder = folderOf({ 'a.md': 'text', 'line\nbreak.md': 'text', 'bell\u0007/b.md': 'text' });
      writeFileSync(
        Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.from([0xff, 0xfe]), Buffer.from('.md')]),
        'text',
      );
      let deep = folder;
      for (let i = 0; i < 6; i++) deep = path.join(deep, 'd'.repeat(200));
      mkdirSync(deep, { recursive: true });
      writeFileSync(path.join(deep, 'deep.md'), 'text');
      const result = await (await engineOf()).indexFolder(folder);
      expect(result.added).toBe(1);
      expect(result.failed.map(({ reason }) => reason)).toEqual(
        Array(4).fill('its path is too long, or has control characters or bytes that are not UTF-8: rename it'),
      );
    },
  );

  it('a hard link to a file of the folder is indexed like any other file', async () => {
    const folder = folderOf({ 'a.md': '# A\n\ntext' });
    linkSync(path.join(folder, 'a.md'), path.join(folder, 'b.md'));
    expect(await (await engineOf()).indexFolder(folder)).toMatchObject({ added: 2, failed: [] });
  });

  it('expensive .gitignore patterns do not delay indexing', async () => {
    const slow = [`${'*a'.repeat(20)}b`, `${'**/'.repeat(50)}x`, `${'[a-z]*'.repeat(20)}!`, `${'?*'.repeat(20)}!`].join(
      '\n',
    );
    const folder = folderOf({ [`b${'a'.repeat(240)}.md`]: 'text', '.gitignore': slow });
    expect(await (await engineOf()).indexFolder(folder)).toMatchObject({ added: 1 });
  });
});
