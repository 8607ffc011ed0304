import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { SearchEngine } from 'waymark';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';

/** A text of some 1,000 passages, each with a word. */
function large(word: string): string {
  return Array.from({ length: 1000 }, (_, i) => `# ${word} ${i}\n\nA ${word} of number ${i}.\n`).join('\n');
}

async function found(engine: SearchEngine, word: string): Promise<string[]> {
  const hits = await engine.search(word, { limit: 3 });
  return [...new Set(hits.filter(({ passage }) => passage.content.includes(word)).map(({ file }) => file.key))];
}

test('a search while a large file is put finds its old version or its new one', async () => {
  const engine = await engineOf();
  await engine.indexFile('a.md', large('apple'));
  let isDone = false;
  const put = engine.indexFile('a.md', large('pear')).finally(() => {
    isDone = true;
  });
  const seen = new Set<string>();
  while (!isDone) {
    const [old, now] = [await found(engine, 'apple'), await found(engine, 'pear')];
    if (!isDone) seen.add(JSON.stringify([old, now]));
    await setImmediate();
  }
  expect(await put).toEqual({ outcome: 'updated', warnings: [] });
  expect(seen).toContain('[["a.md"],[]]');
  expect([await found(engine, 'apple'), await found(engine, 'pear')]).toEqual([[], ['a.md']]);
  expect((await engine.status()).files).toBe(1);
});

test('two engines on one file put large files at once and both are stored', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const [first, second] = [await engineOf({ database }), await engineOf({ database })];
  await Promise.all([
    first.indexFile('a.md', large('apple')),
    second.indexFile('b.md', large('pear')),
    first.indexFile('c.md', large('quince')),
  ]);
  for (const engine of [first, second]) {
    expect((await engine.status()).files).toBe(3);
    const all = [await found(engine, 'apple'), await found(engine, 'pear'), await found(engine, 'quince')];
    expect(all).toEqual([['a.md'], ['b.md'], ['c.md']]);
  }
});

test('writes during a large put and a large removal wait, and are stored', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const [first, second] = [await engineOf({ database }), await engineOf({ database })];
  for (const work of [() => first.indexFile('a.md', large('apple')), () => first.removeFile('a.md')]) {
    let isDone = false;
    const running = work().finally(() => {
      isDone = true;
    });
    const during: Promise<unknown>[] = [];
    for (let i = 0; !isDone; i++) {
      if (i % 100 === 0) during.push(second.indexFile(`small ${during.length}.md`, `A small text ${i}.`));
      await setImmediate();
    }
    await Promise.all([running, ...during]);
    for (let i = 0; i < during.length; i++) expect(await first.hasFile(`small ${i}.md`)).toBe(true);
  }
  expect([await first.hasFile('a.md'), await found(first, 'apple')]).toEqual([false, []]);
});

test('closing during a large put ends it with ENGINE_CLOSED, or after it is stored', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const engine = await engineOf({ database });
  await engine.indexFile('a.md', large('apple'));
  const put = engine.indexFile('a.md', large('pear')).catch((error) => error.code);
  await engine.close();
  const isStored = (await put) !== 'ENGINE_CLOSED';
  const again = await engineOf({ database });
  expect(await found(again, isStored ? 'pear' : 'apple')).toEqual(['a.md']);
  expect(await found(again, isStored ? 'apple' : 'pear')).toEqual([]);
});
