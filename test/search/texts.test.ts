import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexed } from './indexed.js';

/** Where the only match of a text is, and what it is. */
async function found(text: string, { query, contextDepth = 0 }: { query: string; contextDepth?: number }) {
  const engine = await indexed({ 'a.md': text });
  const { passages } = await engine.searchFiles({ query, limit: 1, contextDepth, positions: true });
  const [passage] = passages;
  if (!passage) throw new Error('nothing was found');
  const { start, end, startLine, endLine } = passage.meta;
  return { content: passage.content, slice: text.slice(start, end), lines: [startLine, endLine] };
}

test('with CRLF, content has the line ends of the file, and lines are counted by them', async () => {
  const text = '# T\r\n\r\none\r\n\r\n## A\r\n\r\napples\r\nand pears\r\n\r\n## B\r\n\r\nend\r\n';
  const content = 'apples\r\nand pears';
  expect(await found(text, { query: 'apples' })).toEqual({ content, slice: content, lines: [7, 8] });
  expect(await found(text, { query: 'apples', contextDepth: 1 })).toEqual({
    content: `one\r\n\r\n## A\r\n\r\n${content}\r\n\r\n## B\r\n\r\nend`,
    slice: content,
    lines: [7, 8],
  });
});

test('a lone carriage return ends a line', async () => {
  const text = '# T\r\rapples\r';
  expect(await found(text, { query: 'apples' })).toEqual({ content: 'apples', slice: 'apples', lines: [3, 3] });
});

test('a byte order mark is no part of a passage and shifts no offset', async () => {
  const text = '\uFEFF# T\n\napples\n';
  expect(await found(text, { query: 'apples' })).toEqual({ content: 'apples', slice: 'apples', lines: [3, 3] });
  const plain = '\uFEFFapples\n';
  expect(await found(plain, { query: 'apples' })).toEqual({ content: 'apples', slice: 'apples', lines: [1, 1] });
});

test('characters beyond 16 bits shift no offset', async () => {
  const text = '# 🍏🍎\n\n𝒳 👩‍👩‍👧\n\n## 𝄞\n\napples 🍏 𠮷\n';
  const content = 'apples 🍏 𠮷';
  expect(await found(text, { query: 'apples' })).toEqual({ content, slice: content, lines: [7, 7] });
  expect((await found(text, { query: 'apples', contextDepth: 1 })).content).toBe(`𝒳 👩‍👩‍👧\n\n## 𝄞\n\n${content}`);
});

test('front matter shifts no offset and no line', async () => {
  const text = '---\ntitle: T\n---\n\napples\n';
  expect(await found(text, { query: 'apples' })).toEqual({ content: 'apples', slice: 'apples', lines: [5, 5] });
});

test('a query in any script, with quotes, operators or marks, is a query', async () => {
  const engine = await indexed({
    'a.md': 'Ключи хранятся в сейфе',
    'b.md': '鍵は金庫にあります',
    'c.md': 'C++ "AND" OR *',
  });
  for (const query of [
    'Ключи',
    '鍵は金庫にあります',
    'C++ "AND"',
    "it's",
    '"',
    'title:x*',
    '%_',
    '?',
    '\0',
    '\uD800',
    '👍',
  ]) {
    expect((await engine.searchFiles({ query })).passages).toHaveLength(3);
  }
  expect((await engine.searchFiles({ query: 'Ключи' })).passages[0]?.file.key).toBe('a.md');
  expect((await engine.searchFiles({ query: '鍵は金庫にあります' })).passages[0]?.file.key).toBe('b.md');
});

test('every content is the slice of the file from its first passage to its last, whatever the text', async () => {
  const line = fc.constantFrom(
    '# A',
    '## B',
    'apple',
    'pear plum',
    '- item',
    '> quote',
    '```',
    '| a |',
    '🍏',
    '',
    '\t x',
  );
  const ending = fc.constantFrom('\n', '\r\n', '\n\n', '\r\n\r\n');
  const text = fc.array(fc.tuple(line, ending), { minLength: 1, maxLength: 40 }).map((lines) => lines.flat().join(''));
  const engine = await indexed({});
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 0, max: 3 }), async (text, contextDepth) => {
      await engine.indexFile('a.md', text);
      const request = { query: 'apple', limit: 50, contextDepth, withContext: true };
      const { passages } = await engine.searchFiles({ ...request, positions: true });
      const bounds = new Map(passages.map(({ meta }) => [meta.position, { start: meta.start, end: meta.end }]));
      for (const { content, meta, context = [] } of passages) {
        const first = bounds.get(meta.position + (context[0]?.offset ?? 0));
        const last = bounds.get(meta.position + (context.at(-1)?.offset ?? 0));
        expect(content).toBe(text.slice(first?.start, last?.end));
        expect(context.length).toBe(
          Math.min(contextDepth, meta.position) + 1 + Math.min(contextDepth, bounds.size - 1 - meta.position),
        );
        for (const { text: part, offset = 0 } of context) {
          const place = bounds.get(meta.position + offset);
          expect(part).toBe(text.slice(place?.start, place?.end));
        }
      }
    }),
    { numRuns: 100 },
  );
});
