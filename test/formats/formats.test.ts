import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { createHashEmbedder } from 'waymark';
import { FormatTable, type IndexedFormat } from '#src/formats/format-table.js';
import { formats, markdown, mdx, plainText } from '#src/formats/formats.js';
import { ParsePool } from '#src/indexing/parsing/parse-pool.js';
import { options } from './markdown/counting.js';

describe('the table of formats', () => {
  it.each([
    ['a.md', 'text/markdown', true],
    ['docs/B.MARKDOWN', 'text/markdown', true],
    ['a.mdx', 'text/mdx', true],
    ['a.txt', 'text/plain', false],
    ['a.html', 'text/html', false],
    ['a.json', 'application/json', false],
    ['a.pdf', 'application/pdf', false],
    ['a.constructor', 'application/octet-stream', false],
    ['a.md/b', 'application/octet-stream', false],
    ['md', 'application/octet-stream', false],
    ['', 'application/octet-stream', false],
  ])('takes the key "%s" for %s; indexFolder picks it up: %s', (key, contentType, inFolders) => {
    expect([formats.contentTypeOf(key), formats.isInFolders(key)]).toEqual([contentType, inFolders]);
  });

  it.each([
    ['text/markdown', markdown],
    ['text/x-markdown', markdown],
    ['Text/Markdown; charset=utf-8', markdown],
    ['text/mdx', mdx],
    ['text/plain ; charset=utf-8', plainText],
    ['text/html', undefined],
    ['text/markdown2', undefined],
    ['', undefined],
  ])('indexes the content type "%s" as its format', (contentType, format) => {
    expect(formats.indexedAs(contentType)).toBe(format);
  });

  it('reads a text by its content type, else by its ending, else as markdown', () => {
    expect(formats.ofText({ key: 'a.md', contentType: 'text/plain' })).toBe(plainText);
    expect(formats.ofText({ key: 'a.txt' })).toBe(plainText);
    expect(formats.ofText({ key: 'a.html' })).toBe(markdown);
    expect(formats.ofText({ key: 'a' })).toBe(markdown);
  });

  it('lists what messages name', () => {
    expect(formats.indexedContentTypes).toEqual(['text/markdown', 'text/mdx', 'text/plain']);
    expect(formats.folderEndings).toEqual(['.md', '.markdown', '.mdx']);
  });

  it.each([markdown, mdx, plainText])('names a parser that can be loaded: $name', async ({ parser }) => {
    const { default: parse } = await import(parser.href);
    expect(parse('text', options()).passages).toHaveLength(1);
  });

  it('loads nothing but its own class, so that the contract and the client stay light', () => {
    const imports = ['formats', 'format-table'].flatMap((name) => {
      const source = readFileSync(new URL(`../../src/formats/${name}.ts`, import.meta.url), 'utf8');
      return [...source.matchAll(/^import (?!type).*from '([^']+)'/gm)].map(([, module]) => module);
    });
    expect(imports).toEqual(['./format-table.js']);
  });
});

/** A format that only this test knows: one entry, and one module with a parser. */
const PARSER = `export default (text) => {
  const lines = text.split('\\n');
  const passages = lines.map((line, position) => ({
    position, start: position * 2, end: position * 2 + 1, startLine: position + 1, endLine: position + 1,
    breadcrumb: ['Letters'], subtype: 'paragraph', text: 'letter ' + line, readable: line, length: 1,
  }));
  return { title: 'Letters', tags: {}, metadata: {}, passages, warnings: [] };
};`;

const letters: IndexedFormat = {
  name: 'letters',
  contentType: 'text/x-letters',
  endings: ['abc'],
  parser: new URL(`data:text/javascript,${encodeURIComponent(PARSER)}`),
  inFolders: true,
};

test('a format is added by an entry and a parser: found, accepted, parsed and embedded as it says', async () => {
  const table = new FormatTable([markdown, letters], { fallback: markdown });
  expect([table.isInFolders('docs/x.abc'), table.contentTypeOf('x.abc')]).toEqual([true, 'text/x-letters']);
  expect(table.indexedContentTypes).toEqual(['text/markdown', 'text/x-letters']);
  const { counter } = createHashEmbedder();
  const pool = new ParsePool({
    counter,
    cutting: { budget: 64, embedBreadcrumb: true },
    maxTokens: 512,
    passagePrefix: '',
  });
  onTestFinished(() => pool.close());
  const { title, passages } = await pool.parse('a\nb', { key: 'x.abc', format: table.ofText({ key: 'x.abc' }) });
  expect([title, passages.map(({ text }) => text)]).toEqual(['Letters', ['letter a', 'letter b']]);
  expect(passages[1]?.postings).toEqual({ breadcrumb: 'letters', text: 'b' });
});
