import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHashEmbedder } from 'waymark';
import { qualityChart } from '../../bench/quality/chart.js';
import { readEarlierResult } from '../../bench/quality/earlier-result.js';
import { measureQuality, type QualityOptions } from '../../bench/quality/measure.js';
import { qualityReport } from '../../bench/quality/report.js';
import { jsonOf } from '../../bench/support/report/result-file.js';
import { folderOf } from '../support/folder.js';
import { documents, spans } from './tiny-collections.js';

function options(given: Partial<QualityOptions> = {}): QualityOptions {
  return { model: createHashEmbedder({ dimensions: 512 }), cacheRoot: folderOf(), ...given };
}

describe('a quality run', () => {
  it('ranks the documents of a BEIR collection', async () => {
    const { indexing, model, runs } = await measureQuality(documents(), options());
    expect(model).toBe('hash');
    expect(indexing).toMatchObject([{ files: 3, passages: 3, embedded: 3, cached: false }]);
    const [run] = runs;
    expect(run).toMatchObject({ mode: 'hybrid', summary: [{ type: 'all', n: 2 }] });
    expect(run?.summary[0]?.measures['nDCG@10']).toEqual({ mean: 1, low: 1, high: 1 });
    expect(run?.queries.map(({ id, top }) => [id, top[0]])).toEqual([
      ['1', { document: 'ants', score: expect.any(Number) }],
      ['2', { document: '.cat', score: expect.any(Number) }],
    ]);
    expect(run?.hnswRecall).toBeUndefined();
  });

  it('finds the spans of each corpus in that corpus', async () => {
    const { indexing, runs } = await measureQuality(spans(), options());
    expect(indexing.map(({ corpus, passages }) => [corpus, passages])).toEqual([
      ['garden', 2],
      ['kitchen', 1],
    ]);
    expect(runs[0]?.queries).toMatchObject([
      { id: 'g1', measures: { 'RR@10': 1, 'Recall@5': 1, 'IoU@1': 1, 'lines@10': 1 } },
      // Its second span has two lines, one of which is the passage.
      { id: 'g2', measures: { 'RR@10': 1, 'Recall@5': 1, 'IoU@5': 0.75 } },
      // The heading is not part of the passage below it.
      { id: 'k1', measures: { 'RR@10': 0, 'Recall@5': 0, 'IoU@5': 0 } },
      { id: 'k2', measures: {} },
    ]);
    expect(runs[0]?.summary.map(({ corpus, type, n, auroc }) => [corpus, type, n, auroc?.value])).toEqual([
      ['garden', 'question', 1, undefined],
      ['garden', 'multi', 1, undefined],
      ['garden', 'all', 2, undefined],
      ['kitchen', 'question', 1, undefined],
      ['kitchen', 'all', 1, 1],
      ['all', 'question', 2, undefined],
      ['all', 'multi', 1, undefined],
      ['all', 'all', 3, 1],
    ]);
  });

  it('compares an HNSW index with the exact one', async () => {
    const { runs } = await measureQuality(spans(), options({ index: 'hnsw' }));
    expect(runs[0]?.hnswRecall).toEqual({ k: 10, queries: 4, mean: 1, low: 1, high: 1 });
  });

  it('embeds nothing again unless fresh is set', async () => {
    const settings = options();
    const collection = documents();
    await measureQuality(collection, settings);
    expect((await measureQuality(collection, settings)).indexing).toMatchObject([{ embedded: 3, cached: true }]);
    const fresh = await measureQuality(collection, { ...settings, fresh: true });
    expect(fresh.indexing).toMatchObject([{ embedded: 3, cached: false }]);
  });

  it('can ask a sample of the queries', async () => {
    const { runs } = await measureQuality(spans(), options({ limitQueries: 2 }));
    expect(runs[0]?.queries.map(({ id }) => id)).toEqual(['g2', 'k2']);
  });
});

describe('the report of a quality run', () => {
  it('compares the run with an earlier result', async () => {
    const { model, ...measured } = await measureQuality(spans(), options());
    const settings = { index: 'exact', model, limitQueries: null };
    const result = { collection: 'tiny', settings, ...measured };
    const json = jsonOf({ date: '1970-01-01T00:00:00.000Z', ...result }, { itemPerLine: 'queries' });
    expect(JSON.parse(json)).toMatchObject(JSON.parse(JSON.stringify(result)));
    const file = path.join(folderOf({ 'tiny.json': json }), 'tiny.json');
    const report = qualityReport(result, readEarlierResult(file));
    expect(report).toContain('tiny: dense mode, exact index, hash\n');
    expect(report).toMatch(/^garden {3}question {2}1 {2} +1\.000 /m);
    expect(report).toMatch(/^earlier: 1970-01-01T00:00:00\.000Z/m);
    expect(report).toMatch(/^dense minus earlier +3 +0\.000 \[0\.00, 0\.00\]/m);
  });

  it('has a chart of the kinds of question, or else of the measures', async () => {
    const chartOf = async (collection: ReturnType<typeof spans>) => {
      const { runs } = await measureQuality(collection, options());
      return qualityChart({ collection: 'tiny', runs });
    };
    const byKind = await chartOf(spans());
    for (const words of ['tiny: RR@10 by kind of question', 'question (2)', 'multi (1)', 'all (3)']) {
      expect(byKind).toContain(`>${words}`);
    }
    const byMeasure = await chartOf(documents());
    for (const words of ['tiny: 2 queries', 'nDCG@10', 'Recall@100']) expect(byMeasure).toContain(`>${words}`);
  });
});
