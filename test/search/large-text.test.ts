import path from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../support/folder.js';
import { runModule } from '../support/node.js';

/** Prints the number of hits in a text, and what they keep in memory, as a multiple of the text. */
const PROGRAM = `
  import { createHashEmbedder, openEngine } from 'waymark';
  const engine = await openEngine({ database: process.argv[1], model: createHashEmbedder() });
  const sections = Array.from({ length: 60 }, (_, i) => '## Pump ' + i + '\\n\\nOil the pump of hall ' + i + '.\\n');
  const text = '<!-- ' + 'hidden '.repeat(600_000) + '-->\\n\\n' + sections.join('\\n');
  await engine.indexFile('a.md', text);
  const used = () => { gc(); return process.memoryUsage().heapUsed; };
  const before = used();
  const hits = await engine.search('pump', { limit: 50 });
  const kept = used() - before;
  console.log(hits.length, kept / text.length);
  await engine.close();
`;

test('a text of 4 MB is read once for all hits in it', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const { code, stderr, stdout } = await runModule(PROGRAM, [database], ['--expose-gc']);
  expect([code, stderr]).toEqual([0, '']);
  const [hits, texts] = stdout.split(' ').map(Number);
  expect(hits).toBe(50);
  expect(texts).toBeLessThan(2);
});
