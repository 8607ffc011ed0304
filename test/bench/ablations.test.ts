import { expect, it } from 'vitest';
import { createHashEmbedder } from 'waymark';
import { measureAblations } from '../../bench/quality/ablations/measure.js';
import { ablationsOutcome } from '../../bench/quality/ablations/report.js';
import { VARIANTS } from '../../bench/quality/ablations/variants.js';
import { folderOf } from '../support/folder.js';
import { documents, spans } from './tiny-collections.js';

const IN_BOTH_MODES = [
  'passages of 128 tokens',
  'passages of 256 tokens',
  'passages of 384 tokens',
  'passages of 128, windows of 384',
  'breadcrumb not embedded',
  'index hnsw',
];

function options() {
  return { variants: VARIANTS, model: createHashEmbedder({ dimensions: 512 }), cacheRoot: folderOf() };
}

it('ablations measure each variant over all corpora and compare it with the defaults of its mode', async () => {
  const { model, ablations } = await measureAblations(spans(), options());
  expect(model).toBe('hash');
  const namesOf = (mode: string) => ablations.filter((one) => one.mode === mode).map(({ variant }) => variant);
  expect(namesOf('dense')).toEqual(['as shipped', ...IN_BOTH_MODES]);
  expect(namesOf('hybrid')).toEqual([
    'as shipped',
    'reciprocal ranks, k = 60',
    'half and half of min-max scores',
    'without length',
    'without prose',
    ...IN_BOTH_MODES,
  ]);
  for (const { variant, summary, difference } of ablations) {
    expect(summary.at(-1)).toMatchObject({ type: 'all', n: 3 });
    expect(difference?.n).toBe(variant === 'as shipped' ? undefined : 3);
  }
  expect(ablations.find(({ variant }) => variant === 'index hnsw')?.difference?.measures['RR@10']).toEqual({
    mean: 0,
    low: 0,
    high: 0,
  });
});

it('the table and the chart of ablations have a row per variant', async () => {
  const { model, ablations } = await measureAblations(documents(), options());
  const outcome = await ablationsOutcome({ collection: 'tiny', settings: { model, limitQueries: null }, ablations });
  const [title, , , headings, ...rows] = outcome.report.trimEnd().split('\n');
  expect(title).toMatch(/^tiny: ablations over 2 queries, hash;$/);
  expect(headings).toMatch(/^mode +variant +nDCG@10 +to shipped +RR@10 +to shipped +Recall@100 +to shipped$/);
  expect(rows).toHaveLength(VARIANTS.length);
  expect(rows[0]).toMatch(/^hybrid {2}as shipped +1\.000 +1\.000 +1\.000$/);
  expect(rows.at(-1)).toMatch(/^dense +index hnsw +1\.000 {2}\+0\.000 \[\+0\.00, \+0\.00\] /);
  expect(outcome.file).toBe('quality-tiny-ablations');
  expect(outcome.chart).toContain('>tiny: nDCG@10 of the defaults with one thing changed<');
  for (const { mode, name } of VARIANTS.slice(2)) expect(outcome.chart).toContain(`>${mode}: ${name}<`);
});
