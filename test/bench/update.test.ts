import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHashEmbedder, openEngine } from 'waymark';
import { compareIndexes } from '../../bench/update/compare-indexes.js';
import { edited } from '../../bench/update/edit.js';
import { type UpdateResult, updateReport, updateTargets } from '../../bench/update/report.js';
import { measureUnchanged } from '../../bench/update/unchanged.js';

const figures = { search: 2, bytes: 10_000_000, recall: 0.95 };

const latencies = { calls: 300, p50: 10, p95: 12, p99: 20, max: 25 };

const result: UpdateResult = {
  unchanged: { files: 10_000, milliseconds: 1234, noticing: 60, stats: 30, touched: 0 },
  tenth: { files: 1000, milliseconds: 123.4, noticing: 6, stats: 3, touched: 0 },
  edit: { passages: 200, edits: 5, embedded: 4, milliseconds: 320, slowest: 410 },
  churn: [
    {
      index: 'hnsw',
      passages: 5000,
      rounds: 5,
      replaced: { search: 2.2, bytes: 15_000_000, recall: 0.9 },
      fresh: figures,
      bytesByRound: [10_000_000, 15_000_000],
    },
  ],
  newFolder: {
    files: 1000,
    bytes: 5_100_000,
    milliseconds: 7000,
    remark: { one: { seconds: 3, cpu: 4 }, two: { seconds: 2, cpu: 4 } },
    idle: latencies,
    reading: { ...latencies, calls: 90, p99: 44 },
    embedding: { ...latencies, p99: 61 },
  },
};

describe('the report of updates', () => {
  it('has a row per figure, with the replaced index next to the fresh one', () => {
    const report = updateReport(result);
    expect(report).toMatch(/^index 10,000 unchanged files, ms +1,234$/m);
    expect(report).toMatch(/^notice that none of 10,000 files changed, ms +60$/m);
    expect(report).toMatch(/^the same, times the calls of stat alone +2\.00$/m);
    expect(report).toMatch(/^grows with the files as +n\^1\.00$/m);
    expect(report).toMatch(/^hnsw, 5,000 passages +replaced 5 times +fresh +ratio$/m);
    expect(report).toMatch(/^MB by round: 10\.0, 15\.0$/m);
    expect(report).toMatch(/^database, MB +15\.000 +10\.000 +1\.500$/m);
    expect(report).toMatch(/^reading +90 +10\.0 +12\.0 +44\.0 +25\.0$/m);
    expect(report).toMatch(/^1,000 new files of 5\.1 MB are found by lexical search after 7,000 ms\.$/m);
    expect(report).toMatch(/^Two threads of bare remark parse them in 2,000 ms\.$/m);
  });

  it('judges each figure', () => {
    expect(updateTargets(result)).toEqual([
      'met  10,000 unchanged files: 1,234 ms (target: at most 2,000)',
      'MISSED  10,000 unchanged files are compared: 60 ms (target: at most 50)',
      'met  unchanged files that were read: 0 (target: at most 0)',
      'MISSED  passages that an edited paragraph embeds: 4 (target: at most 3)',
      'met  an edited paragraph is found after: 320 ms (target: at most 500)',
      'met  search, ms, files replaced 5 times to fresh, hnsw: 1.1 (target: at most 1.2)',
      'MISSED  database, MB, files replaced 5 times to fresh, hnsw: 1.5 (target: at most 1.2)',
      'MISSED  recall@10, files replaced 5 times to fresh, hnsw: 0.95 (target: at least 0.99)',
      'MISSED  1,000 new files are found by lexical search after: 7,000 ms (target: at most 6,000)',
      'MISSED  reading new files to two threads of bare remark: 3.5 (target: at most 2)',
      'met  p99 of searches while reading to idle: 2.2 (target: at most 3)',
      'MISSED  p99 of searches while embedding to idle: 3.05 (target: at most 3)',
    ]);
  });
});

describe('an edit', () => {
  const text = '# A\n\n## One\n\nFirst here. Second.\n\n## Two\n\nThird $1. Fourth.\n';

  it('replaces the first sentence of a section', () => {
    expect(edited(text, { section: 2, sentence: 'New $& one.' })).toBe(
      '# A\n\n## One\n\nFirst here. Second.\n\n## Two\n\nNew $& one. Fourth.\n',
    );
    expect(() => edited(text, { section: 3, sentence: 'No.' })).toThrow(RangeError);
    expect(() => edited(text, { section: 0, sentence: 'No.' })).toThrow(RangeError);
  });
});

describe('unchanged files', () => {
  it('are not read again', async () => {
    expect(await measureUnchanged({ files: 3, rounds: 1 })).toMatchObject({ files: 3, touched: 0 });
  });
});

describe('two indexes of the same texts', () => {
  it('are compared by file and position, because ids differ', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'waymark-test-'));
    const open = (name: string) => openEngine({ database: path.join(folder, name), model: createHashEmbedder() });
    const [a, b] = [await open('a.db'), await open('b.db')];
    try {
      await a.indexFile('old.md', 'something else');
      await a.removeFile('old.md');
      for (const engine of [a, b]) for (const word of ['red', 'blue']) await engine.indexFile(`${word}.md`, word);
      const { replaced, fresh } = await compareIndexes({ replaced: a, fresh: b, exact: b }, ['red']);
      expect([replaced.recall, fresh.recall]).toEqual([1, 1]);
      await a.removeFile('red.md');
      expect((await compareIndexes({ replaced: a, fresh: b, exact: b }, ['red'])).replaced.recall).toBe(0.5);
    } finally {
      await Promise.all([a.close(), b.close()]);
      rmSync(folder, { recursive: true });
    }
  });
});
