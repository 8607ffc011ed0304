import path from 'node:path';
import { expect, test } from 'vitest';
import { createHashEmbedder } from 'waymark';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';

/** An engine whose model reads 16 tokens: 2 of its own, 3 of the prefix, and 11 of the passage. */
async function engineWithPrefix() {
  const embedder = createHashEmbedder({ maxTokens: 16 });
  const model = { ...embedder, card: { ...embedder.card, passagePrefix: 'this passage: ' } };
  return engineOf({ model });
}

const file = (content: string) => ({
  key: 'manual.pdf',
  contentType: 'application/pdf',
  tags: {},
  metadata: {},
  passages: [{ content, subtype: 'paragraph' as const, page: 1 }],
});

test('a passage that is too long with the prefix of the model is INVALID_ARGUMENT, and nothing is stored', async () => {
  const engine = await engineWithPrefix();
  await expect(engine.setPassages(file('a b c d e f g h i j k l'))).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: 'passages must have at most 16 tokens each; number 1 has 17: split it.',
  });
  expect(await engine.status()).toMatchObject({ files: 0 });
});

test('a passage that just fits with the prefix of the model is stored', async () => {
  const engine = await engineWithPrefix();
  await engine.setPassages(file('a b c d e f g h i j k'));
  expect(await engine.status()).toMatchObject({ files: 1 });
});

/** Lines of passages as they are found, in document order. */
async function linesOf(contents: readonly string[]): Promise<(readonly [number, number])[]> {
  const engine = await engineOf();
  const passages = contents.map((content) => ({ content, subtype: 'paragraph' as const, page: undefined }));
  await engine.setPassages({ ...file(''), passages });
  const [hit] = await engine.search('word', { mode: 'lexical' });
  const found = await engine.passagesOf(hit?.file.id ?? '', { from: 0, to: contents.length });
  return found.map(({ startLine, endLine }) => [startLine, endLine] as const);
}

test.each<[what: string, contents: readonly string[], lines: readonly (readonly [number, number])[]]>([
  [
    'is that of its last character',
    ['word', 'word\nword', 'word'],
    [
      [1, 1],
      [3, 4],
      [6, 6],
    ],
  ],
  [
    'is not that after its last line feed',
    ['word\n', 'word'],
    [
      [1, 1],
      [4, 4],
    ],
  ],
  [
    'counts a carriage return at the end and the line feed after it once',
    ['word\r', 'word'],
    [
      [1, 1],
      [3, 3],
    ],
  ],
  [
    'counts CRLF once',
    ['word\r\nword\r\n', 'word'],
    [
      [1, 2],
      [5, 5],
    ],
  ],
])("the last line of a caller's passage %s", async (_, contents, lines) => {
  expect(await linesOf(contents)).toEqual(lines);
});

test('a passage of any number of marks, or of Thai without a space, is stored', async () => {
  const engine = await engineOf({ model: createHashEmbedder({ maxTokens: 200_000 }) });
  for (const content of [`a${'\u0301\u0316'.repeat(60_000)}`, 'กา'.repeat(10_000)]) {
    await engine.setPassages(file(content));
    expect(await engine.status()).toMatchObject({ files: 1, passages: 1 });
  }
});

test.each<[string, object, string]>([
  ['a key', { key: '' }, 'key must be a string of 1 to'],
  ['a content type', { contentType: 'pdf' }, 'contentType must be a media type such as text/markdown; it is "pdf".'],
  ['tags', { tags: { kind: 1 } }, 'tags must be an object of names to strings'],
  ['passages', { passages: 'apples' }, 'passages must be a list of { content, subtype, page }; it is "apples".'],
  [
    'a content',
    { passages: [{ content: '', subtype: 'paragraph' }] },
    'passages[0].content must be a non-empty string',
  ],
  ['a subtype', { passages: [{ content: 'a', subtype: 'song' }] }, 'passages[0].subtype must be one of title, '],
  ['a page', { passages: [{ content: 'a', subtype: 'list', page: 0 }] }, 'passages[0].page must be an integer from 1'],
])('passages with a wrong field are refused: %s', async (_what, wrong, message) => {
  const engine = await engineOf();
  const refused = { code: 'INVALID_ARGUMENT', message: expect.stringContaining(message) };
  await expect(engine.setPassages({ ...file('apples'), ...wrong })).rejects.toMatchObject(refused);
  expect(await engine.status()).toMatchObject({ files: 0 });
});

test('a passage of another kind is ranked as such at once, though its text is the same', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const engine = await engineOf({ database });
  const given = (subtype: 'paragraph' | 'code') => ({
    ...file('apples'),
    passages: [{ content: 'apples and pears', subtype }],
  });
  await engine.setPassages(given('paragraph'));
  const [before] = await engine.search('apples');
  await engine.setPassages(given('code'));
  const [after] = await engine.search('apples');
  const [fresh] = await (await engineOf({ database })).search('apples');
  expect(after).toEqual(fresh);
  expect(after?.passage.id).toBe(before?.passage.id);
  expect(after?.score).toBeLessThan(before?.score ?? 0);
});
