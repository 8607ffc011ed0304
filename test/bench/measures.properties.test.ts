import fc from 'fast-check';
import { expect, it } from 'vitest';
import { documentRecall } from '../../bench/support/measures/document-recall.js';
import { ndcg } from '../../bench/support/measures/ndcg.js';

const id = fc.integer({ min: 0, max: 30 }).map((number) => `d${number}`);
const ranking = fc.uniqueArray(id, { maxLength: 25 });
const judgements = fc.array(fc.tuple(id, fc.integer({ min: 0, max: 3 }))).map((pairs) => new Map(pairs));
const k = fc.integer({ min: 1, max: 20 });

const ofDocuments = Object.entries({ ndcg, documentRecall });

it.each(ofDocuments)('%s is 0..1 and is not changed by appending irrelevant documents', (_, measure) => {
  fc.assert(
    fc.property(ranking, judgements, k, (found, judged, k) => {
      const value = measure(found, judged, { k });
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1 + 1e-12);
      expect(measure([...found, 'irrelevant', 'unknown'], judged, { k })).toBe(value);
    }),
  );
});

it.each(ofDocuments)('%s does not fall when a relevant document moves up a rank', (_, measure) => {
  fc.assert(
    fc.property(ranking, judgements, k, (found, judged, k) => {
      const at = found.findIndex((name, i) => i > 0 && (judged.get(name) ?? 0) > (judged.get(found[i - 1] ?? '') ?? 0));
      if (at < 0) return;
      const swapped = found.toSpliced(at - 1, 2, found[at] ?? '', found[at - 1] ?? '');
      expect(measure(swapped, judged, { k })).toBeGreaterThanOrEqual(measure(found, judged, { k }) - 1e-12);
    }),
  );
});
