import { statSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createHashEmbedder, openEngine } from 'waymark';
import { folderOf } from '../support/folder.js';

const text = (i: number, { sections }: { readonly sections: number }) =>
  Array.from({ length: sections }, (_, n) => `## Section ${n}\n\nText ${n} of version ${i}.`).join('\n\n');

test('texts that change repeatedly leave nothing behind while the engine is open', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const engine = await openEngine({ database, model: createHashEmbedder() });
  for (let i = 0; i < 100; i++) await engine.indexFile('a.md', text(i, { sections: 3 }));
  const look = new Sqlite(database, { readonly: true });
  const count = (table: string) => look.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  expect([count('passages'), count('embeddings'), count('unused')]).toEqual([3, 3, 0]);
  look.close();
  await engine.close();
});

test('a database shrinks when most of it was removed', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const engine = await openEngine({ database, model: createHashEmbedder({ dimensions: 384 }) });
  for (let i = 0; i < 10; i++) await engine.indexFile(`${i}.md`, text(i, { sections: 200 }));
  await engine.close();
  const full = statSync(database).size;
  const again = await openEngine({ database, model: createHashEmbedder({ dimensions: 384 }) });
  for (let i = 0; i < 9; i++) await again.removeFile(`${i}.md`);
  await again.close();
  expect(statSync(database).size).toBeLessThan(full / 2);
});
