import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { createHashEmbedder } from 'waymark';
import { type Format, FormatTable } from '#src/formats/format-table.js';
import {
  csv,
  docx,
  formats,
  html,
  jsonLines,
  markdown,
  mdx,
  notebook,
  pdf,
  plainText,
  tsv,
} from '#src/formats/formats.js';
import { ParsePool } from '#src/indexing/parsing/parse-pool.js';
import { options } from './markdown/counting.js';

describe('the table of formats', () => {
  it.each([
    ['a.md', markdown],
    ['docs/B.MARKDOWN', markdown],
    ['a.qmd', markdown],
    ['a.Rmd', markdown],
    ['a.mdx', mdx],
    ['a.txt', plainText],
    ['server.log', plainText],
    ['a.html', html],
    ['A.HTM', html],
    ['a.csv', csv],
    ['a.tsv', tsv],
    ['a.jsonl', jsonLines],
    ['a.ndjson', jsonLines],
    ['a.ipynb', notebook],
    ['a.pdf', pdf],
    ['a.docx', docx],
    ['a.json', undefined],
    ['a.constructor', undefined],
    ['a.md/b', undefined],
    ['md', undefined],
    ['', undefined],
  ])('knows the format of the key "%s"', (key, format) => {
    expect(formats.ofKey(key)).toBe(format);
  });

  it.each([
    ['text/markdown', markdown],
    ['text/x-markdown', markdown],
    ['Text/Markdown; charset=utf-8', markdown],
    ['text/mdx', mdx],
    ['text/plain ; charset=utf-8', plainText],
    ['TEXT/HTML;charset=utf-8', html],
    ['application/x-ndjson', jsonLines],
    ['application/json', undefined],
    ['text/markdown2', undefined],
    ['', undefined],
  ])('knows the format of the content type "%s"', (contentType, format) => {
    expect(formats.ofContentType(contentType)).toBe(format);
  });

  it('reads a text by its content type, else by its extension, else as markdown', () => {
    expect(formats.ofText({ key: 'a.md', contentType: 'text/plain' })).toBe(plainText);
    expect(formats.ofText({ key: 'a.txt' })).toBe(plainText);
    expect(formats.ofText({ key: 'a.html' })).toBe(html);
    expect(formats.ofText({ key: 'a.json' })).toBe(markdown);
    expect(formats.ofText({ key: 'a' })).toBe(markdown);
  });

  it('lists what messages name', () => {
    expect(formats.contentTypes).toEqual([
      'text/markdown',
      'text/mdx',
      'text/plain',
      'text/html',
      'text/csv',
      'text/tab-separated-values',
      'application/jsonl',
      'application/x-ipynb+json',
      'application/pdf',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ]);
    expect(formats.extensions.join(' ')).toBe(
      '.md .markdown .qmd .rmd .mdx .txt .text .log .html .htm .xhtml .csv .tsv .tab .jsonl .ndjson .ipynb .pdf .docx',
    );
  });

  it.each([markdown, mdx, plainText, html, csv, tsv, jsonLines, notebook, docx])(
    'names a parser that can be loaded: $name',
    async ({ parser }) => {
      const { default: parse } = await import(parser.href);
      expect(parse('text', options()).passages).toHaveLength(1);
    },
  );

  it('imports nothing heavy, so that the contract and the client stay light', () => {
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

const letters: Format = {
  name: 'letters',
  contentType: 'text/x-letters',
  extensions: ['abc'],
  parser: new URL(`data:text/javascript,${encodeURIComponent(PARSER)}`),
};

test('a format is added by an entry and a parser: found, accepted, parsed and embedded as it says', async () => {
  const table = new FormatTable([markdown, letters], { fallback: markdown });
  expect(table.ofKey('docs/x.abc')).toBe(letters);
  expect(table.contentTypes).toEqual(['text/markdown', 'text/x-letters']);
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
