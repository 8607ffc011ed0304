import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { createHashEmbedder, type SearchEngine } from 'waymark';
import { recordingEmbedder } from '../support/embedder.js';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';

async function fileIn(engine: SearchEngine, query: string) {
  return (await engine.search(query))[0]?.file;
}

describe('indexFile', () => {
  it('reports whether the text is new, changed or unchanged; the text is found when it returns', async () => {
    const { embedder, embedded } = recordingEmbedder();
    const engine = await engineOf({ model: embedder });
    expect(await engine.indexFile('a.md', 'A yak.')).toEqual({ outcome: 'added', warnings: [] });
    expect((await engine.search('yak')).map(({ passage }) => passage.content)).toEqual(['A yak.']);
    expect(await engine.indexFile('a.md', 'A yak.')).toEqual({ outcome: 'unchanged', warnings: [] });
    expect(await engine.indexFile('a.md', 'A wolf.')).toEqual({ outcome: 'updated', warnings: [] });
    expect((await engine.search('wolf')).map(({ passage }) => passage.content)).toEqual(['A wolf.']);
    expect(embedded).toEqual(['A yak.', 'A wolf.']);
  });

  it('keeps id and creation date when the text changes', async () => {
    const engine = await engineOf();
    await engine.indexFile('a.md', 'A yak.');
    const before = await fileIn(engine, 'yak');
    await engine.indexFile('a.md', 'A wolf.');
    const after = await fileIn(engine, 'wolf');
    expect([after?.id, after?.createdAt]).toEqual([before?.id, before?.createdAt]);
  });

  it('merges given tags and metadata into those of the front matter; given ones take precedence', async () => {
    const engine = await engineOf();
    const text = '---\ntags:\n  a: front\n  b: front\nauthor: Ann\nyear: 2024\n---\n\nA yak.';
    await engine.indexFile('a.md', text, {
      tags: { b: 'given', c: 'given' },
      metadata: { year: 2025, x: [1, { y: null }] },
    });
    expect(await fileIn(engine, 'yak')).toMatchObject({
      tags: { a: 'front', b: 'given', c: 'given' },
      metadata: { author: 'Ann', year: 2025, x: [1, { y: null }] },
    });
  });

  it('counts other tags, metadata or another type as a change, and embeds nothing again', async () => {
    const { embedder, embedded } = recordingEmbedder();
    const engine = await engineOf({ model: embedder });
    await engine.indexFile('a.md', 'A yak.');
    const outcomes = [
      await engine.indexFile('a.md', 'A yak.', { tags: { k: 'v' } }),
      await engine.indexFile('a.md', 'A yak.', { tags: { k: 'v' } }),
      await engine.indexFile('a.md', 'A yak.', { metadata: { k: 'v' } }),
      await engine.indexFile('a.md', 'A yak.', { contentType: 'text/plain' }),
      await engine.indexFile('a.md', 'A yak.'),
    ];
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['updated', 'unchanged', 'updated', 'updated', 'updated']);
    expect([embedded, (await fileIn(engine, 'yak'))?.tags]).toEqual([['A yak.'], {}]);
  });

  it.each([
    ['a.md', undefined, 'text/markdown'],
    ['a.mdx', undefined, 'text/mdx'],
    ['a.txt', undefined, 'text/plain'],
    ['a', undefined, 'text/markdown'],
    ['a.md', 'text/plain', 'text/plain'],
  ])('reads %s with type %s as %s', async (key, contentType, expected) => {
    const engine = await engineOf();
    await engine.indexFile(key, '# Yak\n\ngrunts and more', { contentType });
    const [hit] = await engine.search('yak grunts');
    expect([hit?.file.contentType, hit?.passage.content, hit?.passage.breadcrumb]).toEqual(
      expected === 'text/plain' ? [expected, '# Yak\n\ngrunts and more', []] : [expected, 'grunts and more', ['Yak']],
    );
  });

  it('reports what it could not understand', async () => {
    const engine = await engineOf();
    const { warnings } = await engine.indexFile('a.md', '---\ntitle: [\n---\n\nyak');
    expect(warnings).toEqual([expect.stringContaining('front matter')]);
    expect((await engine.status()).warnings).toEqual([{ key: 'a.md', reason: warnings[0] }]);
  });

  it('accepts a text without passages', async () => {
    const engine = await engineOf();
    expect(await engine.indexFile('a.md', ' \n')).toEqual({ outcome: 'added', warnings: [] });
    expect(await engine.status()).toMatchObject({ files: 1, passages: 0 });
  });

  it('replaces a lone surrogate, which UTF-8 cannot represent', async () => {
    const engine = await engineOf();
    await engine.indexFile('a.md', 'yak \ud83d yak');
    expect((await engine.search('yak'))[0]?.passage.content).toBe('yak \ufffd yak');
  });

  it.each([
    [
      'an empty key',
      '',
      'key must be a string of 1 to 1000 characters without control characters and lone surrogates; it is "".',
    ],
    [
      'a key with a line feed',
      'a\nb',
      'key must be a string of 1 to 1000 characters without control characters and lone surrogates; it is "a\\nb".',
    ],
    [
      'a key with a lone surrogate, which would come back as another key',
      'yak \ud83d.md',
      'key must be a string of 1 to 1000 characters without control characters and lone surrogates; it is "yak \\ud83d.md".',
    ],
    [
      'a key of 1001 characters',
      'a'.repeat(1001),
      expect.stringMatching(/^key must be a string of 1 to 1000 characters/),
    ],
  ])('refuses %s, as removeFile does, and changes nothing', async (_name, key, message) => {
    const engine = await engineOf();
    const refusal = { code: 'INVALID_ARGUMENT', message };
    await expect(engine.indexFile(key, 'yak')).rejects.toMatchObject(refusal);
    await expect(engine.removeFile(key)).rejects.toMatchObject(refusal);
    expect((await engine.status()).files).toBe(0);
  });

  it('stores each of many keys at once', async () => {
    const engine = await engineOf();
    await Promise.all(Array.from({ length: 30 }, (_, i) => engine.indexFile(`${i}.md`, `Text ${i} of a yak.`)));
    expect(await engine.status()).toMatchObject({ files: 30, passages: 30, embedded: 30 });
  });

  it('fails with ENGINE_CLOSED if the engine is closed meanwhile', async () => {
    const engine = await engineOf();
    const indexing = Promise.allSettled(Array.from({ length: 5 }, (_, i) => engine.indexFile(`${i}.md`, 'yak')));
    await engine.close();
    for (const end of await indexing) expect(end).toMatchObject({ reason: { code: 'ENGINE_CLOSED' } });
    await expect(engine.indexFile('a.md', 'yak')).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  });
});

test('no text is longer than the model reads together with its prefix', async () => {
  const hash = createHashEmbedder({ maxTokens: 16 });
  const { embedder, embedded } = recordingEmbedder({
    ...hash,
    card: { ...hash.card, passagePrefix: 'this passage: ' },
  });
  const engine = await engineOf({ model: embedder });
  await engine.indexFile('a.md', Array.from({ length: 90 }, (_, i) => `yak${i}`).join(' '));
  expect(embedded.length).toBeGreaterThan(5);
  for (const text of embedded) expect(await hash.countTokens(`this passage: ${text}`)).toBeLessThanOrEqual(16);
});

describe("indexFile over a folder's file", () => {
  it('holds until the next indexFolder, which restores the text of the folder', async () => {
    const folder = folderOf({ 'a.md': 'A yak.' });
    const { embedder, embedded } = recordingEmbedder();
    const engine = await engineOf({ model: embedder });
    await engine.indexFolder(folder, { tags: { from: 'folder' } });
    expect(await engine.indexFile('a.md', 'A wolf.')).toMatchObject({ outcome: 'updated' });
    expect(await fileIn(engine, 'wolf')).toMatchObject({ key: 'a.md', tags: {} });
    expect(await engine.indexFolder(folder, { tags: { from: 'folder' } })).toMatchObject({ updated: 1, failed: [] });
    expect(await fileIn(engine, 'yak')).toMatchObject({ key: 'a.md', tags: { from: 'folder' } });
    expect(await engine.indexFolder(folder, { tags: { from: 'folder' } })).toMatchObject({ unchanged: 1 });
    expect(embedded.slice(0, 2)).toEqual(['A yak.', 'A wolf.']);
  });
});

describe('removeFile', () => {
  it('removes a file and what only it used, and returns whether there was one', async () => {
    const engine = await engineOf();
    await engine.indexFile('a.md', 'A yak.\n\n# Wolf\n\nHowls.');
    await engine.indexFile('b.md', 'A yak.');
    expect([await engine.removeFile('a.md'), await engine.removeFile('a.md')]).toEqual([true, false]);
    expect((await engine.search('yak wolf')).map(({ file }) => file.key)).toEqual(['b.md']);
    expect(await engine.status()).toMatchObject({ files: 1, passages: 1, embedded: 1 });
  });

  it("of a folder's file holds until the next indexFolder", async () => {
    const folder = folderOf({ 'a.md': 'A yak.' });
    const engine = await engineOf({ database: path.join(folderOf(), 'waymark.db') });
    await engine.indexFolder(folder);
    await engine.removeFile('a.md');
    expect(await engine.search('yak')).toEqual([]);
    expect(await engine.indexFolder(folder)).toMatchObject({ added: 1 });
  });
});
