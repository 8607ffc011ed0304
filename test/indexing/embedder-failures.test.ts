import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHashEmbedder, type Embedder, type SearchEngine } from 'waymark';
import { refusingEmbedder } from '../support/embedder.js';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';

const DIMENSIONS = createHashEmbedder().card.dimensions;

/** Everything that a search sees of an engine's files. */
async function seen(engine: SearchEngine): Promise<unknown> {
  const { files, passages, embedded } = await engine.status();
  const hits = await engine.search('yak wolf pump', { limit: 100 });
  return { files, passages, embedded, hits };
}

describe('if the embedder fails, nothing has changed after', () => {
  const given = { contentType: 'text/markdown', tags: { given: 'yes' }, metadata: {} };
  const passages = ['A wolf.', 'refused'].map((content) => ({
    content,
    subtype: 'paragraph' as const,
    page: undefined,
  }));

  it.each<[string, (engine: SearchEngine) => Promise<unknown>]>([
    ['indexFile of a new file', (engine) => engine.indexFile('new.md', 'A wolf.\n\n# refused\n\nA pump.')],
    ['indexFile of another text', (engine) => engine.indexFile('a.md', 'A wolf.\n\n# refused\n\nA pump.')],
    ['setPassages', (engine) => engine.setPassages({ ...given, key: 'a.md', passages })],
  ])('%s', async (_name, change) => {
    const engine = await engineOf({ model: refusingEmbedder().embedder });
    await engine.indexFile('a.md', 'A yak.', { tags: { kind: 'animal' } });
    const before = await seen(engine);
    await expect(change(engine)).rejects.toMatchObject({
      code: 'EMBEDDER_FAILED',
      message: expect.stringContaining('could not embed a text: no such words.'),
    });
    expect(await seen(engine)).toEqual(before);
  });

  it.each<[string, Embedder['embedPassages'], string]>([
    ['too few embeddings', async () => [], 'returned 0 embeddings for 1 texts'],
    ['a vector that has not length 1', async () => [new Float32Array(DIMENSIONS).fill(1)], 'length'],
    ['a vector of other dimensions', async () => [Float32Array.of(1)], 'dimensions'],
  ])('indexFile with an embedder that returns %s', async (_name, embedPassages, reason) => {
    const engine = await engineOf({ model: { ...createHashEmbedder(), embedPassages } });
    await expect(engine.indexFile('a.md', 'A yak.')).rejects.toMatchObject({
      code: 'EMBEDDING_INVALID',
      message: expect.stringContaining(reason),
    });
    expect(await engine.hasFile('a.md')).toBe(false);
  });
});

describe('a run over a folder', () => {
  const DOCS = { 'a.md': 'A yak is here.\n\n# One\n\nwords refused here', 'b.md': 'A wolf.', 'c.md': 'A pump.' };

  it('indexes all other texts if the embedder rejects one, and reports its file each time', async () => {
    const folder = folderOf(DOCS);
    const engine = await engineOf({ model: refusingEmbedder().embedder });
    const failed = [
      {
        key: 'a.md',
        reason: expect.stringMatching(
          /^a passage of it is found by its words only: .* could not embed .* no such words\.$/,
        ),
      },
    ];
    expect(await engine.indexFolder(folder)).toMatchObject({ added: 3, failed });
    expect(await engine.status()).toMatchObject({ passages: 4, embedded: 3 });
    expect((await engine.search('refused', { mode: 'lexical' })).map(({ file }) => file.key)).toEqual(['a.md']);
    expect(await engine.indexFolder(folder)).toMatchObject({ unchanged: 3, failed });
  });

  it('stops if the embedder rejects every text, with its reason; the next run continues', async () => {
    const folder = folderOf(DOCS);
    const database = path.join(folderOf(), 'waymark.db');
    const { embedder, fail } = refusingEmbedder();
    const engine = await engineOf({ database, model: embedder });
    fail(new Error('out of memory'));
    await expect(engine.indexFolder(folder)).rejects.toMatchObject({
      code: 'EMBEDDER_FAILED',
      message: expect.stringContaining('out of memory'),
      cause: new Error('out of memory'),
    });
    await engine.close();
    const next = await engineOf({ database });
    expect(await next.indexFolder(folder)).toMatchObject({ unchanged: 3, failed: [] });
    expect(await next.coverage()).toBe(1);
  });
});
