import { expect, test } from 'vitest';
import type { IndexFileOptions, SearchEngine } from 'waymark';
import { engineOf } from '../support/engine.js';

/** What messages name as indexed. */
const TYPES =
  'text/markdown, text/mdx, text/plain, text/html, text/csv, text/tab-separated-values, application/jsonl, ' +
  'application/x-ipynb+json, application/pdf, ' +
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

async function refusal(engine: SearchEngine, key: string, options: unknown = {}): Promise<string> {
  try {
    await engine.indexFile(key, 'apples', options as IndexFileOptions);
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' });
    return error instanceof Error ? error.message : '';
  }
  return 'none';
}

test('a wrong key, tag, metadata field or content type is refused by name, and nothing is indexed', async () => {
  const engine = await engineOf();
  const key = 'key must be a string of 1 to 1000 characters without control characters and lone surrogates; it is ';
  expect(await refusal(engine, '')).toBe(`${key}"".`);
  expect(await refusal(engine, 'a\nb')).toBe(`${key}"a\\nb".`);
  expect(await refusal(engine, 'a'.repeat(1001))).toContain(key);
  const tags =
    'tags must be an object of names to strings of at most 1000 characters, without NUL and lone surrogates; it is ';
  expect(await refusal(engine, 'a.md', { tags: { a: 1 } })).toBe(`${tags}{ a: 1 }.`);
  expect(await refusal(engine, 'a.md', { tags: { '': 'a' } })).toBe(`${tags}{ '': 'a' }.`);
  expect(await refusal(engine, 'a.md', { tags: { a: 'b\0' } })).toBe(`${tags}{ a: 'b\\x00' }.`);
  expect(await refusal(engine, 'a.md', { tags: { 'a\ud800': 'b' } })).toBe(`${tags}{ 'a\\ud800': 'b' }.`);
  const value = "A tag's value must have at most 1000 characters; it has 1001.";
  expect(await refusal(engine, 'a.md', { tags: { a: 'b'.repeat(1001) } })).toBe(value);
  const metadata = 'metadata must be an object of JSON values, at most 100 deep, with no "__proto__"; it is ';
  expect(await refusal(engine, 'a.md', { metadata: { a: 1n } })).toBe(`${metadata}{ a: 1n }.`);
  expect(await refusal(engine, 'a.md', { metadata: { a: Number.NaN } })).toBe(`${metadata}{ a: NaN }.`);
  expect(await refusal(engine, 'a.md', { metadata: [] })).toBe(`${metadata}[].`);
  const deep = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
  expect(await refusal(engine, 'a.md', { metadata: deep(102) })).toContain(metadata);
  expect(await refusal(engine, 'a.md', { metadata: deep(3000) })).toContain(metadata);
  expect(await refusal(engine, 'a.md', { metadata: { a: JSON.parse('{"__proto__":1}') } })).toContain(metadata);
  const prototype = 'tags cannot have a member "__proto__": choose another name.';
  expect(await refusal(engine, 'a.md', { tags: JSON.parse('{"__proto__":"a"}') })).toBe(prototype);
  await expect(engine.searchFiles({ query: 'a', tags: JSON.parse('{"__proto__":"a"}') })).rejects.toThrow(prototype);
  const types = `contentType must be one of ${TYPES}; it is `;
  expect(await refusal(engine, 'a.md', { contentType: 'image/png' })).toBe(`${types}"image/png".`);
  expect((await engine.status()).files).toBe(0);
});

test('a text that is not a string is refused', async () => {
  const engine = await engineOf();
  await expect(engine.indexFile('a.md', Object(7))).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: 'text must be a string; it is [Number: 7].',
  });
});

test('the longest key and tag are accepted', async () => {
  const engine = await engineOf();
  expect(await refusal(engine, 'ä'.repeat(1000), { tags: { a: 'b'.repeat(1000) } })).toBe('none');
});

test('a wrong key to remove is refused', async () => {
  const engine = await engineOf();
  await expect(engine.removeFile('')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});
