import path from 'node:path';
import { expect, it } from 'vitest';
import { folderOf } from '../support/folder.js';
import { runChild } from './child.js';
import { checked, SOUND } from './outlives.js';
import { tell, times } from './torture.js';

const DOCS = {
  '.gitignore': 'secret.md\n',
  'secret.md': 'The word apples, and what nobody is to find.',
  ...Object.fromEntries(
    Array.from({ length: 5 }, (_, i) => [`${i}.md`, `# File ${i}\n\nThe word apples, and word${i}.`]),
  ),
};

/** Opens files until the limit, then closes a number of them; `restore` closes all. */
const SHORTAGE = `
  const held = [];
  const shortage = (left) => {
    try { for (;;) held.push(fs.openSync('/dev/null')); } catch (error) { if (error.code !== 'EMFILE') throw error; }
    for (let i = 0; i < left; i++) fs.closeSync(held.pop());
  };
  const restore = () => { for (const file of held.splice(0)) fs.closeSync(file); };
`;

const OPEN_FILES = 256;

it('with too few open files each call succeeds or fails with a clear error, and all succeed afterwards', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const program = `${SHORTAGE}
    const [, database, docs, most] = process.argv;
    const options = { database, model: createHashEmbedder(), index: 'hnsw', onWarning: () => {} };
    const engine = await openEngine(options);
    await engine.indexFile('first.md', '# First\\n\\nThe word apples.');
    const before = await answers(engine);
    const refused = [];
    const found = [];
    for (let left = 0; left < Number(most); left++) {
      shortage(left);
      const calls = [
        () => engine.indexFile('new.md', '# New\\n\\nPears ' + left),
        () => engine.indexFolder(docs),
        async () => { const other = await openEngine(options); await other.close(); },
      ];
      for (const call of calls) {
        const ended = await outcome(call);
        if (ended?.code) refused.push(ended);
      }
      found.push(await outcome(async () => (await engine.search('first word apples')).map(({ file }) => file.key)));
      restore();
    }
    tell('refused', refused);
    tell('found', found);
    tell('indexFile', await outcome(() => engine.indexFile('new.md', '# New\\n\\nPears, at last.')));
    tell('indexFolder', await outcome(() => engine.indexFolder(docs)));
    await engine.removeFile('new.md');
    tell('keys', (await engine.search('apples', { limit: 20 })).map(({ file }) => file.key).sort());
    await engine.close();`;
  const most = times(8, 32);
  const { told, code, stderr } = await runChild(program, [database, folderOf(DOCS), String(most)], {
    openFiles: OPEN_FILES,
  });
  expect([code, stderr]).toEqual([0, '']);
  expect(told.refused.length).toBeGreaterThan(1);
  for (const { name, message } of told.refused) {
    expect([name, message]).toEqual(['WaymarkError', expect.stringMatching(/EMFILE|unable to open database file/)]);
    expect(message).toMatch(/: (?:check|try again)/);
  }
  for (const keys of told.found) expect(keys).toContain('first.md');
  expect(told.indexFile).toEqual({ outcome: expect.stringMatching(/added|updated/), warnings: [] });
  expect(told.indexFolder).toMatchObject({ failed: [], warnings: [] });
  // Nothing that the ignore rules exclude, even if the rules could not be read.
  expect(told.keys).toEqual(['0.md', '1.md', '2.md', '3.md', '4.md', 'first.md']);
  expect(checked(database)).toEqual({ sound: SOUND, files: 6 });
  tell(`too few open files at ${most} places: ${told.refused.length} calls refused, each with one clear error`);
});

it('an embedding process that cannot start gives a clear error, and the next call starts it', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const program = `${SHORTAGE}
    const engine = await openEngine({ database: process.argv[1], processes: 1 });
    shortage(0);
    tell('search', await outcome(() => engine.search('apples')));
    tell('words', await outcome(() => engine.search('apples', { mode: 'lexical' })));
    restore();
    tell('indexFile', await outcome(() => engine.indexFile('a.md', '# A\\n\\nThe word apples.')));
    tell('afterwards', (await engine.search('apples')).length);
    await engine.close();`;
  const { told, code, stderr } = await runChild(program, [database], { openFiles: OPEN_FILES });
  expect([code, stderr]).toEqual([0, '']);
  expect(told).toEqual({
    search: {
      name: 'WaymarkError',
      code: 'EMBEDDER_FAILED',
      message: expect.stringMatching(
        /could not be run \(.*EMFILE\): check its files and the system's limits on processes/,
      ),
    },
    words: [],
    indexFile: { outcome: 'added', warnings: [] },
    afterwards: 1,
  });
});

it('a change that is refused for want of open files was not made', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const program = `${SHORTAGE}
    const engine = await openEngine({ database: process.argv[1], model: createHashEmbedder() });
    await engine.indexFile('a.md', '# A\\n\\nThe word apples.');
    await engine.indexFile('b.md', '# B\\n\\nThe word apples.');
    shortage(0);
    tell('removed', await outcome(() => engine.removeFile('a.md')));
    tell('created', await outcome(() => engine.createBot({ name: 'support' })));
    restore();
    tell('keys', await engine.keys());
    tell('bots', (await engine.listBots()).bots.map(({ name }) => name));
    await engine.close();`;
  const { told, code, stderr } = await runChild(program, [database], { openFiles: OPEN_FILES });
  expect([code, stderr]).toEqual([0, '']);
  expect(told).toMatchObject({ removed: true, created: { bot: { name: 'support' } }, keys: ['b.md'] });
  expect(told.bots.sort()).toEqual(['default', 'support']);
});
