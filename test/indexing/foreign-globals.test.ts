import { expect, test } from 'vitest';
import { folderOf } from '../support/folder.js';
import { runModule } from '../support/node.js';

/** Indexes two texts after the globals were changed, and says what it finds. */
const PROGRAM = (change: string) => `
  import { createHashEmbedder, openEngine } from 'waymark';
  ${change}
  const engine = await openEngine({ database: process.argv[1], model: createHashEmbedder() });
  await Promise.all([engine.indexFile('a.md', '# Apples'), engine.indexFile('b.md', '# Pears')]);
  console.log((await engine.search('pears', { mode: 'lexical' })).map(({ file }) => file.key));
  await engine.close();
`;

const TIMERS_OF_A_PAGE = `
  const { setInterval: every, setTimeout: after } = globalThis;
  globalThis.setInterval = (...given) => Number(every(...given));
  globalThis.setTimeout = (...given) => Number(after(...given));
  delete globalThis.setImmediate;
`;

test.each([
  ['timers are numbers, as in a page', TIMERS_OF_A_PAGE],
  ['every object has an error', `Object.prototype.error = 'of a polyfill';`],
  ['every object has been loaded', `Object.prototype.loaded = {};`],
])('texts are indexed in a program in which %s', async (_, change) => {
  const { stdout, stderr, code } = await runModule(PROGRAM(change), [`${folderOf()}/waymark.db`]);
  expect({ stdout, stderr, code }).toEqual({ stdout: "[ 'b.md' ]\n", stderr: '', code: 0 });
});

test('a host is opened in a program in which timers are numbers, as in a page', async () => {
  const program = `
    import { createHashEmbedder, openHost } from 'waymark';
    ${TIMERS_OF_A_PAGE}
    const host = await openHost({ database: process.argv[1], model: createHashEmbedder() });
    const bots = await host.workspace((await host.createWorkspace('acme')).id);
    const { bot } = await bots.createBot({ name: 'tea' });
    const files = await host.bot(bot.id);
    await files.uploadFile({ key: 'a.md', content: '# Tea', index: true });
    console.log((await files.listFiles({})).files.map(({ key }) => key));
    await host.close();
  `;
  const { stdout, stderr, code } = await runModule(program, [`${folderOf()}/waymark.db`]);
  expect({ stdout, stderr, code }).toEqual({ stdout: "[ 'a.md' ]\n", stderr: '', code: 0 });
});
