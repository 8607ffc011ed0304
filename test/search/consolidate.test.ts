import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SearchEngine, SearchFilesRequest } from 'waymark';
import { engineOf } from '../support/engine.js';
import { fillers, indexed } from './indexed.js';

const HANDBOOK = `# Handbook

Opening.

## Billing

Bills.

### Limits

apple one

### Refunds

Money comes back.

## Shipping

Ships.

### Limits

apple two

Closing.
`;

/** What a file is consolidated to; because of the fillers, passages without the word do not match. */
async function merged(text: string, request: Partial<SearchFilesRequest> = {}): Promise<string | undefined> {
  const engine = await indexed({ ...fillers('apple'), 'a.md': text });
  return contentOf(engine, { contextDepth: 0, ...request });
}

async function contentOf(engine: SearchEngine, request: Partial<SearchFilesRequest>): Promise<string | undefined> {
  const { passages } = await engine.searchFiles({ query: 'apple', consolidate: true, ...request });
  return passages.find(({ file }) => file.key === 'a.md')?.content;
}

test('the matches of a file are in file order under their headings, each heading once, gaps marked', async () => {
  expect(await merged(HANDBOOK)).toBe(
    [
      '# Handbook',
      '## Billing',
      '### Limits',
      'apple one',
      '…',
      '## Shipping',
      '### Limits',
      'apple two\n\nClosing.',
    ].join('\n\n'),
  );
});

test('with contextDepth neighbours are included; ranges that touch are one slice with its own headings', async () => {
  const [, after = ''] = HANDBOOK.trim().split('## Billing\n\n');
  expect(await merged(HANDBOOK, { contextDepth: 1 })).toBe(`# Handbook\n\n## Billing\n\n${after}`);
});

test('contextDepth is 1 by default', async () => {
  const text = ['## A\n\napple', '## B\n\nnone', '## C\n\nnone', '## D\n\nnone', '## E\n\napple'].join('\n\n');
  const engine = await indexed({ ...fillers('apple'), 'a.md': text });
  const content = '# A\n\napple\n\n## B\n\nnone\n\n…\n\n# D\n\nnone\n\n## E\n\napple';
  expect(await contentOf(engine, {})).toBe(content);
  expect(await contentOf(engine, { contextDepth: 1 })).toBe(content);
});

test('overlapping ranges are merged: no text appears twice', async () => {
  const text = ['apple', 'b', 'c', 'apple', 'e', 'f', 'g', 'h', 'i']
    .map((word) => `## ${word}\n\n${word}`)
    .join('\n\n');
  expect(await merged(text, { contextDepth: 2 })).toBe(
    `# apple\n\n${text.slice('## apple\n\n'.length, text.indexOf('## g') - 2)}`,
  );
});

test('adjacent matches are one slice without a gap', async () => {
  const text = '# T\n\nnone\n\n## A\n\napple\n\n## B\n\napple again\n\n## C\n\nnone\n';
  expect(await merged(text)).toBe('# T\n\n## A\n\napple\n\n## B\n\napple again');
});

test('adjacent matches after a gap are one slice', async () => {
  const text = ['apple', 'b', 'c', 'apple', 'apple', 'f'].map((word, i) => `## S${i}\n\n${word}`).join('\n\n');
  expect(await merged(text)).toBe('# S0\n\napple\n\n…\n\n# S3\n\napple\n\n## S4\n\napple');
});

test('headings that a slice has shown are not repeated after the gap', async () => {
  const text = '# T\n\nnone\n\n## A\n\napple\n\n## B\n\napple\n\n### B1\n\nnone\n\n### B2\n\napple\n';
  expect(await merged(text)).toBe('# T\n\n## A\n\napple\n\n## B\n\napple\n\n…\n\n### B2\n\napple');
});

test('the heading of a section is not repeated after a gap in the section', async () => {
  const words = (word: string) => `${word} `.repeat(60).trim();
  const text = ['## A', 'apple', words('b'), words('c'), words('d'), 'apple'].join('\n\n');
  expect(await merged(text)).toBe('# A\n\napple\n\n…\n\napple');
});

test('a match at a higher level than the one before it is not put under the deeper headings of that one', async () => {
  const text = '# T\n\n## A\n\n### Note\n\napple\n\n## B\n\nnone\n\n## A\n\napple two\n';
  expect(await merged(text)).toBe('# T\n\n## A\n\n### Note\n\napple\n\n…\n\n## A\n\napple two');
});

test('a heading that is itself a match is put under those above it', async () => {
  const text = '# T\n\nnone\n\n## A\n\nnone\n\n## B\n\nnone\n\n### apple\n\n### pear\n\nnone\n\n### C\n\napple\n';
  expect(await merged(text)).toBe('# T\n\n## B\n\n### apple\n\n…\n\n### C\n\napple');
});

test('the title of the front matter is the outermost heading, and no heading is deeper than six', async () => {
  const deep = ['#', '##', '###', '####', '#####', '######'].map((marks, i) => `${marks} H${i}`).join('\n\n');
  const text = `---\ntitle: Manual\n---\n\n${deep}\n\napple apple apple\n`;
  const headings = ['# Manual', '## H0', '### H1', '#### H2', '##### H3', '###### H4', '###### H5'];
  expect(await merged(text)).toBe([...headings, 'apple apple apple'].join('\n\n'));
});

test.each([
  ['of a section of a few words', '# Guide\n\n## Apple\n\nNone.'],
  ['with markup', '# Guide\n\n## [`apple`](a_(b).md) {#apple}\n\nNone.'],
  ['with tags', '# Guide\n\n## Apple <kbd>x</kbd>\n\nNone.'],
  ['with an image', '# Guide\n\n## ![Logo](a.png) Apple ![icon]\n\nNone.\n\n[icon]: b.png'],
  ['with a footnote', '# Guide\n\n## Apple[^1]\n\nNone.\n\n[^1]: Note'],
  ['with a link to a definition', '# Guide\n\n## [Apple][tree]\n\nNone.\n\n[tree]: a.md'],
  ['with a wikilink', '# Guide\n\n## [[tree|Apple]]\n\nNone.'],
  ['as HTML', '# Guide\n\n<h2 id="tree">Apple</h2>\n\nNone.'],
  ['with lone CRs', '# Guide\r\rNone.\r\r## Apple\r\rNone.'],
  ['of the whole file', '# Apple\n\nNone.'],
  ['underlined', 'Guide\n=====\n\nApple\n-----\n\nNone.'],
  ['of several lines', '# Guide\n\nApple\npie\nwith pears\n---\n\nNone.'],
  ['of several lines in a quotation', '# Guide\n\n> Apple\n> pie\n> ---\n>\n> None.'],
  ['after a block of code', '# Guide\n\n## Pear\n\n```\nNone.\n```\nApple\n---\n\nAn apple is a fruit.'],
  ['of several lines as HTML', '# Guide\n\n<h2>\n  Apple\n</h2>\n\nNone.'],
  ['in a list item', '# Guide\n\n- ## Apple\n\n  None.'],
  ['in a numbered list item', '# Guide\n\n1. Apple\n   pie\n   ---\n\n   None.'],
  ['in a list item in a quotation', '# Guide\n\n> * ## Apple\n>\n>   None.'],
  ['of a joined section', '# Guide\n\n## Pear\n\nNone.\n\n## Apple\n\nAn apple is a fruit.'],
])('a heading %s that is part of the match is not put above it', async (_, text) => {
  const engine = await engineOf();
  await engine.indexFile('a.md', text);
  expect(await contentOf(engine, {})).toBe(text.replace('Guide\n=====', '# Guide'));
});

test.each([
  ['code', '# `<head>`\n\n## `<title>`\n\nNone.', '# <head>\n\n## `<title>`\n\nNone.'],
  ['a name of a type', '# List\\<T>\n\n## List\n\nNone.', '# List<T>\n\n## List\n\nNone.'],
  ['a name of a type in the match', '# Guide\n\n## List\\<T>\n\nNone.', '# Guide\n\n## List\\<T>\n\nNone.'],
  ['braces', '# Guide\n\n## Use {#if} here\n\nNone.', '# Guide\n\n## Use {#if} here\n\nNone.'],
])('what looks like markup in a heading of %s is words of it', async (_, text, content) => {
  const engine = await engineOf();
  await engine.indexFile('a.md', text);
  expect((await engine.searchFiles({ query: 'none', consolidate: true })).passages[0]?.content).toBe(content);
});

test('a heading on one line with all HTML is not put above the match that has it', async () => {
  const engine = await engineOf();
  await engine.indexFile('a.html', '<h1>Guide</h1><h2>Apple</h2><p>None.</p>');
  const { passages } = await engine.searchFiles({ query: 'apple', consolidate: true });
  expect(passages[0]?.content).toBe('# Guide\n\n<h2>Apple</h2><p>None.</p>');
});

test('a line of code with the words of a heading above the match is not taken for it', async () => {
  const engine = await engineOf();
  const text = '# Guide\n\n## Apple\n\n### Pear\n\n```sh\n# Apple\nbuy three apples\n```';
  await engine.indexFile('a.md', text);
  expect(await contentOf(engine, {})).toBe(text);
});

test('a comment with the words of a heading is not taken for it', async () => {
  const engine = await engineOf();
  await engine.indexFile('a.md', '# Guide\n\n## Apple\n\n```sh\n# Apple\nbuy three apples\n```\n');
  expect(await contentOf(engine, {})).toBe('# Guide\n\n## Apple\n\n```sh\n# Apple\nbuy three apples\n```');
});

test('a file without headings gives its matches alone', async () => {
  const words = (word: string) => `${word} `.repeat(60).trim();
  expect(await merged(['apple', words('b'), words('c'), words('d'), 'apple'].join('\n\n'))).toBe('apple\n\n…\n\napple');
});

test('meta is consolidated with the position of the first match; the score is the best', async () => {
  const engine = await indexed({
    ...fillers('apple'),
    'a.md': HANDBOOK.replace('apple one', 'apple one of the others'),
  });
  const { passages } = await engine.searchFiles({ query: 'apple', consolidate: true, limit: 1 });
  const hits = (await engine.search('apple')).filter(({ file }) => file.key === 'a.md');
  expect(passages).toStrictEqual([
    {
      content: expect.stringContaining('apple one'),
      score: hits[0]?.score,
      meta: { type: 'consolidated', position: 2 },
      file: hits[0]?.file,
    },
  ]);
  expect(hits[0]?.passage.position).toBe(5);
});

test('positions give the range of the matches, whatever their context', async () => {
  const engine = await indexed({ ...fillers('apple'), 'a.md': HANDBOOK });
  const { passages } = await engine.searchFiles({ query: 'apple', consolidate: true, limit: 1, positions: true });
  expect(passages[0]?.meta).toStrictEqual({
    type: 'consolidated',
    position: 2,
    start: HANDBOOK.indexOf('apple one'),
    end: HANDBOOK.indexOf('Closing.') + 'Closing.'.length,
    startLine: 11,
    endLine: 25,
    breadcrumb: ['Handbook', 'Billing', 'Limits'],
    display: passages[0]?.content,
  });
});

test('consolidate keeps sourceUrl', async () => {
  const engine = await indexed({ 'a.md': '---\nsourceUrl: https://example.com/\n---\n\napple\n' });
  const { passages } = await engine.searchFiles({ query: 'apple', consolidate: true });
  expect(passages[0]?.meta).toStrictEqual({ type: 'consolidated', position: 0, sourceUrl: 'https://example.com/' });
});

test('includeBreadcrumb has no effect with consolidate', async () => {
  const engine = await indexed({ 'a.md': HANDBOOK });
  const request = { query: 'apple', consolidate: true };
  expect(await engine.searchFiles({ ...request, includeBreadcrumb: true })).toEqual(await engine.searchFiles(request));
});

test('withContext is not supported with consolidate', async () => {
  const engine = await indexed({ 'a.md': HANDBOOK });
  await expect(engine.searchFiles({ query: 'apple', consolidate: true, withContext: true })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: 'withContext is not supported with consolidate: use one of them.',
  });
});

test('a match below a tenth of the first hit is left out, but the best of each file stays', async () => {
  const engine = await indexed({
    'a.md': '# A\n\napple pie\n\n## B\n\napple in one of many other words that weaken its part in this\n',
    'b.md': '# B\n\napple in one of many other words that weaken its part in this\n',
  });
  const hits = await engine.search('apple pie', { limit: 50 });
  const scores = hits.map(({ score, file }) => [file.key, score] as const);
  expect(scores[0]?.[0]).toBe('a.md');
  expect(scores[1]?.[1]).toBeLessThan(0.1 * (scores[0]?.[1] ?? 0));
  const { passages } = await engine.searchFiles({ query: 'apple pie', consolidate: true, contextDepth: 0 });
  expect(passages.map(({ file, content }) => [file.key, content.match(/apple/g)])).toEqual([
    ['a.md', ['apple']],
    ['b.md', ['apple']],
  ]);
});

test('there are at most limit files, best first, files with the same score by key', async () => {
  const engine = await indexed({
    'd.md': 'apple',
    'c.md': 'apple',
    'b.md': 'red apple in a tree',
    'a.md': 'red apple',
  });
  const keys = async (limit: number) =>
    (await engine.searchFiles({ query: 'apple', consolidate: true, limit })).passages.map(({ file }) => file.key);
  expect(await keys(50)).toEqual(['c.md', 'd.md', 'a.md', 'b.md']);
  expect(await keys(3)).toEqual(['c.md', 'd.md', 'a.md']);
  expect(await keys(1)).toEqual(['c.md']);
});

test('the matches are the first 50 hits without weak ones, whatever the limit', async () => {
  const words = ['red', 'green', 'apple', 'pear', 'plum'];
  const section = (seed: number) => `## S${seed}\n\n${[seed, seed >> 1, seed >> 2].map((n) => words[n % 5]).join(' ')}`;
  const file = (n: number) => Array.from({ length: 12 }, (_, i) => section(n * 12 + i)).join('\n\n');
  const engine = await indexed(Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`${n}.md`, file(n)])));
  const query = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((chosen) => chosen.join(' '));
  await fc.assert(
    fc.asyncProperty(query, fc.integer({ min: 1, max: 50 }), async (query, limit) => {
      const { passages } = await engine.searchFiles({ query, consolidate: true, contextDepth: 0, limit });
      const hits = await engine.search(query, { limit: 50 });
      const keys = [...new Set(hits.map(({ file }) => file.key))];
      const least = 0.1 * (hits[0]?.score ?? 0);
      expect(passages.map(({ file }) => file.key)).toEqual(keys.slice(0, limit));
      for (const { content, score, meta, file } of passages) {
        const ofFile = hits
          .filter((hit) => hit.file.key === file.key)
          .filter((hit, i) => i === 0 || hit.score >= least);
        const positions = ofFile.map(({ passage }) => passage.position);
        expect({ score, position: meta.position }).toEqual({
          score: ofFile[0]?.score,
          position: Math.min(...positions),
        });
        const shown = content.split('\n\n').filter((part) => part !== '…' && !part.startsWith('#'));
        const inOrder = ofFile.map(({ passage }) => passage).sort((a, b) => a.position - b.position);
        expect(shown).toEqual(inOrder.map((passage) => passage.content));
      }
    }),
    { numRuns: 40 },
  );
});
