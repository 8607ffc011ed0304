import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { createHashEmbedder, openEngine } from 'waymark';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';

/** Sections of some 90 UTF-16 code units, most of them surrogate pairs: a part may have to end before one. */
const SECTIONS = Array.from({ length: 1100 }, (_, i) => `# Pump ${i}\n\nOil pump${i} ${'😀'.repeat(30 + (i % 2))}.\n`);
const TEXT = SECTIONS.join('\n');

it('a hit in a long text has the content at its place in the text', async () => {
  const engine = await engineOf();
  await engine.indexFile('long.md', TEXT);
  const wanted = ['pump0', 'pump180', 'pump181', 'pump182', 'pump550', 'pump1099'];
  const hits = await Promise.all(wanted.map((word) => engine.search(word, { mode: 'lexical', limit: 1 })));
  const found = hits.map(([hit]) => hit?.passage.content);
  expect(found).toEqual(hits.map(([hit]) => TEXT.slice(hit?.passage.start, hit?.passage.end)));
  for (const [i, word] of wanted.entries()) expect(found[i]).toContain(`${word} `);
  expect((await engine.readFile('long.md'))?.text).toBe(TEXT);
});

it('a hit in a damaged part of a text is an error, and hits in other parts are found', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  await withEngine(database, (engine) => engine.indexFile('long.md', TEXT));
  change(database, `UPDATE text_parts SET text = replace(text, 'Oil', 'Wax') WHERE text LIKE '%pump1099 %'`);
  await withEngine(database, async (engine) => {
    expect(await engine.search('pump3', { mode: 'lexical', limit: 1 })).toHaveLength(1);
    await expect(engine.search('pump1099', { mode: 'lexical', limit: 1 })).rejects.toMatchObject({
      code: 'DATABASE_DAMAGED',
      message: expect.stringContaining('The text of long.md is damaged'),
    });
  });
});

it('a long text leaves nothing behind when it becomes short', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  await withEngine(database, async (engine) => {
    await engine.indexFile('long.md', TEXT);
    await engine.indexFile('long.md', '# Pump\n\nOil the pump.');
    expect(await engine.search('pump')).toHaveLength(1);
  });
  expect(change(database, `DELETE FROM text_parts`)).toBe(0);
});

it('a long text of an earlier version, which has no parts, is read as it is', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  await withEngine(database, (engine) => engine.indexFile('long.md', TEXT));
  change(database, `UPDATE texts SET checksum = NULL, text = '${TEXT}'`);
  change(database, `DELETE FROM text_parts`);
  await withEngine(database, async (engine) => {
    const [hit] = await engine.search('pump1099', { mode: 'lexical', limit: 1 });
    expect(hit?.passage.content).toBe(TEXT.slice(hit?.passage.start, hit?.passage.end));
  });
});

it('all passages of a large file are found by meaning when the index is opened again', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const before = await withEngine(database, async (engine) => {
    await engine.indexFile('long.md', TEXT);
    return engine.search('pump1099', { mode: 'dense', limit: 50 });
  });
  const after = await withEngine(database, (engine) => engine.search('pump1099', { mode: 'dense', limit: 50 }));
  expect(after).toEqual(before);
});

async function withEngine<T>(database: string, work: (engine: Awaited<ReturnType<typeof openEngine>>) => Promise<T>) {
  const engine = await openEngine({ database, model: createHashEmbedder() });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

function change(database: string, sql: string): number {
  const connection = new Sqlite(database);
  const { changes } = connection.prepare(sql).run();
  connection.close();
  return changes;
}
