import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../support/folder.js';
import { type Child, runChild } from './child.js';
import { checked, DOCS, LARGE, SOUND } from './outlives.js';
import { tell, times } from './torture.js';

const SOURCE = fileURLToPath(new URL('./broken-disk.c', import.meta.url));

/** The preloaded library that fails file operations; undefined without a compiler or where preloading is impossible. */
function compiled(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const library = path.join(folderOf(), 'broken-disk.so');
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-o', library, SOURCE, '-ldl'], { stdio: 'ignore' });
    return library;
  } catch {
    return undefined;
  }
}

/** Runs a program in which \`fault(kinds)\` breaks the disk below the database and \`restore()\` restores it. */
async function withBrokenDisk(program: string, args: readonly string[]): Promise<Child | undefined> {
  const library = compiled();
  if (!library) return undefined;
  const control = path.join(folderOf(), 'control');
  const faults = `
    const fault = (kinds) => fs.writeFileSync(${JSON.stringify(control)}, kinds);
    const restore = () => fs.rmSync(${JSON.stringify(control)}, { force: true });`;
  return runChild(faults + program, args, { env: { LD_PRELOAD: library, WAYMARK_TEST_FAULT: control } });
}

const REFUSED = {
  name: 'WaymarkError',
  code: 'DATABASE_UNWRITABLE',
  message: expect.stringMatching(/waymark\.db cannot be opened or written \(disk I\/O error\): check /),
};

/** Minimum number of writes and syncs of a run over DOCS. */
const CALLS = 150;

describe('a disk that fails', () => {
  it('a write error fails the call clearly; searches continue, and the calls succeed once the disk works', async ({
    skip,
  }) => {
    const database = path.join(folderOf(), 'waymark.db');
    const docs = folderOf(DOCS);
    const child = await withBrokenDisk(
      `const [, database, docs, large] = process.argv;
       const engine = await openEngine({ database, model: createHashEmbedder() });
       await engine.indexFolder(docs);
       const found = await answers(engine);
       for (const kinds of ['w', 'ws']) {
         fault(kinds);
         tell('indexFile ' + kinds, await outcome(() => engine.indexFile('large.md', large)));
         tell('removeFile ' + kinds, await outcome(() => engine.removeFile('0.md')));
         tell('same ' + kinds, JSON.stringify(await answers(engine)) === JSON.stringify(found));
         restore();
       }
       tell('indexFile', await outcome(() => engine.indexFile('large.md', large)));
       await engine.close();`,
      [database, docs, LARGE],
    );
    if (!child) return skip('no C compiler, or nothing can be preloaded');
    expect([child.code, child.stderr, child.told]).toEqual([
      0,
      '',
      {
        'indexFile w': REFUSED,
        'removeFile w': REFUSED,
        'same w': true,
        'indexFile ws': REFUSED,
        'removeFile ws': REFUSED,
        'same ws': true,
        indexFile: { outcome: 'added', warnings: [] },
      },
    ]);
    expect(checked(database)).toEqual({ sound: SOUND, files: 13 });
  });

  it('a read error fails the call clearly; once the disk works, the results are the same as before', async ({
    skip,
  }) => {
    const database = path.join(folderOf(), 'waymark.db');
    const docs = folderOf({ ...DOCS, 'large.md': LARGE });
    const child = await withBrokenDisk(
      `const [, database, docs] = process.argv;
       const options = { database, model: createHashEmbedder() };
       const first = await openEngine(options);
       await first.indexFolder(docs);
       const found = JSON.stringify(await answers(first));
       await first.close();
       const engine = await openEngine(options);
       fault('r');
       tell('search', await outcome(() => answers(engine)));
       tell('open', await outcome(() => openEngine(options)));
       restore();
       tell('same', JSON.stringify(await answers(engine)) === found);
       await engine.close();`,
      [database, docs],
    );
    if (!child) return skip('no C compiler, or nothing can be preloaded');
    const { search, ...rest } = child.told;
    expect([child.code, child.stderr, rest]).toEqual([0, '', { open: REFUSED, same: true }]);
    // FTS5 reports what it cannot read as damaged, and no check can confirm it.
    expect(search).toMatchObject({
      name: 'WaymarkError',
      code: expect.stringMatching(/^DATABASE_(UNWRITABLE|FAILED)$/),
    });
    expect(checked(database)).toEqual({ sound: SOUND, files: 13 });
  });

  it('an error at any write or sync leaves each file whole or absent, and the next run completes the index', async ({
    skip,
  }) => {
    const folder = folderOf();
    const docs = folderOf(DOCS);
    const runs = times(4, 150);
    const child = await withBrokenDisk(
      `const [, folder, docs, most, step] = process.argv;
       const ended = [];
       for (let i = 0; i < Number(most); i++) {
         const database = path.join(folder, i + '-waymark.db');
         const options = { database, model: createHashEmbedder() };
         const broken = await openEngine(options);
         fault('ws' + i * Number(step));
         const run = await outcome(() => broken.indexFolder(docs));
         restore();
         await broken.close();
         const engine = await openEngine(options);
         const { files } = await engine.status();
         const again = await outcome(() => engine.indexFolder(docs));
         ended.push([run.code ?? 'done', files, again.added + again.unchanged, again.failed?.length]);
         await engine.close();
       }
       tell('ended', ended);`,
      [folder, docs, String(runs), String(Math.floor(CALLS / runs))],
    );
    if (!child) return skip('no C compiler, or nothing can be preloaded');
    expect([child.code, child.stderr]).toEqual([0, '']);
    expect(child.told.ended.length).toBe(runs);
    for (const [i, [run, filesThen, filesAfter, failed]] of child.told.ended.entries()) {
      expect([run, filesAfter, failed]).toEqual([i < runs / 2 ? 'DATABASE_UNWRITABLE' : run, 12, 0]);
      expect(filesThen).toBeLessThanOrEqual(12);
      expect(checked(path.join(folder, `${i}-waymark.db`))).toEqual({ sound: SOUND, files: 12 });
    }
    const broken = child.told.ended.filter(([run]: [string]) => run === 'DATABASE_UNWRITABLE').length;
    tell(`disk failing at ${broken} writes and syncs of an indexing run: each file whole or out`);
  });
});
