import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, type Embedder } from 'waymark';
import { indexFile } from '#src/indexing/index-file.js';
import { indexFolder } from '#src/indexing/index-folder.js';
import { ParsePool } from '#src/indexing/parsing/parse-pool.js';
import { recordingEmbedder } from '../support/embedder.js';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';
import { MemoryStore } from '../support/memory-store.js';

const cutting = { budget: 192, embedBreadcrumb: true };

/** A table that needs more than 100 MB to be parsed. */
const large = `# Title\n\n|a|b|\n|-|-|\n${'|x|y|\n'.repeat(25_000)}`;

/** Megabytes of memory in which the table cannot be parsed, and in which it can. */
const [TOO_LITTLE, ENOUGH] = [80, 2048];

const WARNING = 'The markdown is too large to be parsed with 80 MB of memory: it was cut at lines, without headings.';

function bot() {
  const { embedder, embedded } = recordingEmbedder(createHashEmbedder({ dimensions: 2 }));
  const store = new MemoryStore();
  const indexing = (memory: number) => {
    const parser = new ParsePool(
      { counter: embedder.counter, cutting, maxTokens: 512, passagePrefix: '' },
      // Ample: a slow machine would reach the time that the table has before its memory.
      { processes: 1, memory, processorTime: 600_000 },
    );
    onTestFinished(() => parser.close());
    return { store, embedder, parser, cutting, base: folder, signal: undefined };
  };
  const folder = folderOf({ 'large.md': large, 'other.md': '# Other\n\ntext' });
  const breadcrumb = async () => {
    const file = await store.file('large.md');
    return file && (await store.passages(file.id, { from: 0, to: 0 }))[0]?.breadcrumb;
  };
  return { folder, indexing, embedded, breadcrumb };
}

test('a file that was cut at lines is parsed again by the next indexFolder, and only such a file', async () => {
  const { folder, indexing, breadcrumb } = bot();
  const first = await indexFolder(folder, indexing(TOO_LITTLE));
  expect([first.added, first.warnings, await breadcrumb()]).toEqual([
    2,
    [{ key: 'large.md', reason: WARNING }],
    ['large'],
  ]);
  expect(await indexFolder(folder, indexing(ENOUGH))).toMatchObject({ updated: 1, unchanged: 1, warnings: [] });
  expect(await breadcrumb()).toEqual(['Title']);
  expect(await indexFolder(folder, indexing(TOO_LITTLE))).toMatchObject({ unchanged: 2, warnings: [] });
});

test('a file that is cut at lines again is unchanged: nothing is embedded, and its warning is repeated', async () => {
  const { folder, indexing, embedded } = bot();
  await indexFolder(folder, indexing(TOO_LITTLE));
  const before = embedded.length;
  const again = await indexFolder(folder, indexing(TOO_LITTLE));
  expect(again).toMatchObject({ updated: 0, unchanged: 2, warnings: [{ key: 'large.md', reason: WARNING }] });
  expect(embedded.length).toBe(before);
});

test('a text that was cut at lines is parsed again by the next indexFile', async () => {
  const { indexing, breadcrumb } = bot();
  const given = { key: 'large.md', text: large, tags: {}, metadata: {} };
  const outcomes = [
    await indexFile(given, indexing(TOO_LITTLE)),
    await indexFile(given, indexing(TOO_LITTLE)),
    await indexFile(given, indexing(ENOUGH)),
    await indexFile(given, indexing(TOO_LITTLE)),
  ];
  expect(outcomes).toEqual([
    { outcome: 'added', warnings: [WARNING] },
    { outcome: 'unchanged', warnings: [WARNING] },
    { outcome: 'updated', warnings: [] },
    { outcome: 'unchanged', warnings: [] },
  ]);
  expect(await breadcrumb()).toEqual(['Title']);
});

test('a file whose parse process is killed twice fails alone, and the others are indexed', async () => {
  const kill = 'process.kill(process.pid, "SIGKILL")';
  const count = `export default () => (text) => text.includes("wolf") ? ${kill} : text.split(" ").length`;
  const model: Embedder = {
    ...createHashEmbedder({ dimensions: 2 }),
    counter: { module: `data:text/javascript,${encodeURIComponent(count)}` },
  };
  const folder = folderOf({ 'docs/a.md': 'A wolf.', 'docs/b.md': 'A yak.', 'docs/c.md': 'A heron.' });
  const engine = await engineOf({ database: `${folder}/waymark.db`, model, processes: 1 });
  const reason = expect.stringMatching(/^The text could not be parsed \(its process ended with SIGKILL\): check /);
  const result = { added: 2, failed: [{ key: 'a.md', reason }] };
  expect(await engine.indexFolder(`${folder}/docs`)).toMatchObject(result);
  expect(await engine.indexFolder(`${folder}/docs`)).toMatchObject({ unchanged: 2, failed: [{ key: 'a.md', reason }] });
});
