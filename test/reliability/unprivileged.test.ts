import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../support/folder.js';
import { runChild } from './child.js';

/** Only root can change to another user: otherwise these tests are skipped. */
const NOBODY = 65_534;
const mayBecomeNobody = process.getuid?.() === 0;

describe.skipIf(!mayBecomeNobody)('as an ordinary user (requires root)', () => {
  it('files are indexed by a program with the lowest priority', async () => {
    const folder = folderOf();
    execFileSync('chown', [String(NOBODY), folder]);
    const program = `
      const { setPriority } = await import('node:os');
      setPriority(19);
      const engine = await openEngine({ database: process.argv[1] + '/waymark.db', model: createHashEmbedder() });
      tell('outcome', await outcome(() => engine.indexFile('a.md', '# Apples')));
      await engine.close();`;
    const { told, code } = await runChild(program, [folder], { user: NOBODY });
    expect([code, told]).toEqual([0, { outcome: { outcome: 'added', warnings: [] } }]);
  });

  it('a folder is dropped although a known folder in it cannot be read', async () => {
    const folder = folderOf({ 'docs/a.md': 'apples', 'docs/private/b.md': 'pears' });
    execFileSync('chown', ['-R', String(NOBODY), folder]);
    const program = `
      const [, folder] = process.argv;
      const docs = path.join(folder, 'docs');
      const inner = path.join(docs, 'private');
      const engine = await openEngine({ database: path.join(folder, 'waymark.db'), model: createHashEmbedder() });
      await engine.indexFolder(docs);
      await engine.addFolder(inner);
      fs.chmodSync(inner, 0o000);
      tell('outcome', await outcome(() => engine.dropFolder(docs).then(() => 'dropped')));
      tell('folders', (await engine.listFolders()).map((known) => path.relative(docs, known.path)));
      fs.chmodSync(inner, 0o755);
      await engine.indexFolders();
      tell('found', (await engine.search('pears', { mode: 'lexical' })).map(({ file }) => file.key));
      await engine.close();`;
    const { told, code } = await runChild(program, [folder], { user: NOBODY });
    expect([code, told]).toEqual([0, { outcome: 'dropped', folders: ['private'], found: ['private/b.md'] }]);
  });
});
