import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { syntheticDocument } from '../../bench/support/synthetic/document.js';
import { corpusProse, proseOf } from '../../bench/support/synthetic/prose.js';
import { syntheticVector } from '../../bench/support/synthetic/vector.js';
import { writeDocuments } from '../../bench/support/synthetic/write-documents.js';

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, element, i) => sum + element * (b[i] ?? 0), 0);

describe('prose', () => {
  it('is whole sentences of paragraphs, without front matter, code, tables, lists and headings', () => {
    const text = [
      '---\ntitle: None of this\n---\n',
      '# Heading of it that is long enough to be taken for a paragraph by its length\n',
      'The *first* sentence has `code` and a [link](a.md) in it. Is the second one a question?\n',
      '```js\nThe code of a fence that is long enough to be taken for a paragraph by its length.\n```\n',
      '| The table of it that is long | enough to be taken for a paragraph by its length. |\n',
      '- The list of it that is long enough to be taken for a paragraph by its length.\n',
    ].join('\n');
    expect(proseOf([text])).toEqual({
      paragraphs: ['The first sentence has code and a link in it. Is the second one a question?'],
      sentences: ['The first sentence has code and a link in it.', 'Is the second one a question?'],
      words: 'the first sentence has code and a link in it is the second one a question'.split(' '),
    });
  });
});

describe('a synthetic file', () => {
  const prose = corpusProse();

  it('is reproducible from its number', () => {
    expect(syntheticDocument(7, { prose })).toBe(syntheticDocument(7, { prose }));
    expect(syntheticDocument(7, { prose })).not.toBe(syntheticDocument(8, { prose }));
  });

  it('has sections under headings, a title, and tags to filter by', () => {
    const text = syntheticDocument(123, { prose, sections: 3 });
    expect(text).toMatch(/^---\ntitle: \S.*\ntags: \{ half: '1', tenth: '3', hundredth: '23' \}\n---\n\n# \S/);
    expect(text.match(/^## \S/gm)).toHaveLength(3);
  });

  it('has sections that fit into one passage', () => {
    const sections = Array.from({ length: 20 }, (_, i) => syntheticDocument(i, { prose })).flatMap((text) =>
      text.split(/^## .*$/m).slice(1),
    );
    expect(sections).toHaveLength(400);
    const words = sections.map((section) => section.trim().split(/\s+/).length);
    expect(Math.min(...words)).toBeGreaterThanOrEqual(40);
    expect(Math.max(...words)).toBeLessThanOrEqual(180);
    expect(Math.max(...sections.map((section) => section.trim().length))).toBeLessThanOrEqual(680);
  });

  it('has words by their frequency in the corpus, and new words', () => {
    const words = Array.from({ length: 50 }, (_, i) => syntheticDocument(i, { prose })).flatMap(
      (text) => text.toLowerCase().match(/\p{L}+/gu) ?? [],
    );
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    const [commonest] = [...counts].sort((a, b) => b[1] - a[1]);
    expect(commonest?.[0]).toBe('the');
    expect(counts.size).toBeGreaterThan(new Set(prose.words).size);
    expect([...counts.values()].filter((count) => count === 1).length).toBeGreaterThan(counts.size / 3);
  });
});

describe('synthetic files', () => {
  it('are as many as the passages need; a larger set begins with the files of a smaller one', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'waymark-test-'));
    try {
      writeDocuments(path.join(folder, 'few'), { passages: 25 });
      writeDocuments(path.join(folder, 'many'), { passages: 65 });
      const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
      expect(readdirSync(path.join(folder, 'few', '0'))).toEqual(['0.md', '1.md']);
      expect(readdirSync(path.join(folder, 'many', '0'))).toHaveLength(4);
      expect(read('few/0/0.md')).toBe(read('many/0/0.md'));
      expect(read('few/0/1.md').match(/^## /gm)).toHaveLength(5);
      writeDocuments(path.join(folder, 'few'), { passages: 25, first: 2 });
      expect(read('few/0/0.md')).toBe(read('many/0/2.md'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a synthetic vector', () => {
  const anchors = ['one', 'two', 'three'].map((seed) =>
    syntheticVector(seed, [new Float32Array(384).fill(1 / Math.sqrt(384))]),
  );

  it('has length 1', () => {
    for (const text of ['a', 'b', 'c']) {
      const vector = syntheticVector(text, anchors);
      expect(dot(vector, vector)).toBeCloseTo(1, 5);
    }
  });

  it('is reproducible from its text', () => {
    expect(syntheticVector('a', anchors)).toEqual(syntheticVector('a', anchors));
    expect(syntheticVector('a', anchors)).not.toEqual(syntheticVector('b', anchors));
  });

  it('is near one of the anchors', () => {
    const nearest = Array.from({ length: 200 }, (_, i) => {
      const vector = syntheticVector(`text ${i}`, anchors);
      return Math.max(...anchors.map((anchor) => dot(vector, anchor)));
    });
    expect(Math.min(...nearest)).toBeGreaterThan(0.86);
    expect(Math.max(...nearest)).toBeLessThan(0.94);
  });

  it('needs an anchor', () => {
    expect(() => syntheticVector('a', [])).toThrow(RangeError);
  });
});
