import path from 'node:path';
import { expect, it } from 'vitest';
import { folderOf } from '../support/folder.js';
import { run } from './held.js';

it.each(['engine', 'host'])(
  'a process that does not close its %s ends when its work is done and leaves nothing behind',
  async (what) => {
    const program = `
    const [, database, what] = process.argv;
    if (what === 'engine') {
      const engine = await openEngine({ database, processes: 1 });
      await engine.indexFile('a.md', '# A\\n\\nThe word apples.');
      tell('found', (await engine.search('apples')).length);
    } else {
      const host = await openHost({ database, processes: 1 });
      const { bot: { id } } = await (await host.workspace()).createBot({ name: 'support' });
      const files = await host.bot(id);
      await files.uploadFile({ key: 'a.md', content: 'The word apples.', index: true });
      while (host.status().pending > 0) await setTimeout(5);
      tell('found', (await files.searchFiles({ query: 'apples' })).passages.length);
    }
    tell('children', children());`;
    const file = path.join(folderOf(), 'waymark.db');
    const { code, signal, stderr, told, left } = await run(program, [file, what]);
    expect([code, signal, stderr, told.found, left]).toEqual([0, null, '', 1, []]);
    await Promise.all(told.children.map(ended));
  },
);

it('embedding processes end when their parent is killed', async () => {
  const program = `
    const engine = await openEngine({ database: process.argv[1], processes: 2 });
    await engine.search('apples');
    fs.writeSync(1, JSON.stringify({ children: children() }));
    process.kill(process.pid, 'SIGKILL');`;
  const { signal, told } = await run(program, [path.join(folderOf(), 'waymark.db')]);
  expect(signal).toBe('SIGKILL');
  await Promise.all(told.children.map(ended));
});

it('a parse process ends when its parent is killed while it parses', async () => {
  const program = `
    import { ParsePool } from '#src/indexing/parsing/parse-pool.js';
    import { markdown } from '#src/formats/formats.js';
    const cutting = { budget: 64, embedBreadcrumb: true };
    const pool = new ParsePool({ counter: hash().counter, cutting, maxTokens: 512, passagePrefix: '' });
    const begun = process.argv[1];
    const parser = new URL(\`data:text/javascript,import { writeFileSync } from 'node:fs';
      export default () => { writeFileSync(\${JSON.stringify(begun)}, ''); for (;;); }\`);
    pool.parse('text '.repeat(20_000), { key: 'a.md', format: { ...markdown, parser } });
    while (!fs.existsSync(begun)) await setTimeout(5);
    fs.writeSync(1, JSON.stringify({ children: children() }));
    process.kill(process.pid, 'SIGKILL');`;
  const { signal, told } = await run(program, [path.join(folderOf(), 'begun')]);
  expect([signal, told.children.length]).toEqual(['SIGKILL', 1]);
  await Promise.all(told.children.map(ended));
});

/** Waits until a process has ended; the timeout of the test is the limit. */
async function ended(pid: string): Promise<void> {
  for (;;) {
    try {
      process.kill(Number(pid), 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
