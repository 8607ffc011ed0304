import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ndcg } from '../../bench/measures/ndcg.js';
import { recall } from '../../bench/measures/recall.js';

const id = fc.integer({ min: 0, max: 30 }).map((number) => `d${number}`);
const ranking = fc.uniqueArray(id, { maxLength: 25 });
const judgements = fc.array(fc.tuple(id, fc.integer({ min: 0, max: 3 }))).map((pairs) => new Map(pairs));
const k = fc.integer({ min: 1, max: 20 });

const ofDocuments = Object.entries({ ndcg, recall });

it.each(ofDocuments)('%s is 0..1, and irrelevant documents at the end do not raise it', (_, measure) => {
  fc.assert(
    fc.property(ranking, judgements, k, (found, judged, k) => {
      const value = measure(found, judged, { k });
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1 + 1e-12);
      expect(measure([...found, 'irrelevant', 'unknown'], judged, { k })).toBe(value);
    }),
  );
});

it.each(ofDocuments)('%s is not lower where a relevant document comes one rank earlier', (_, measure) => {
  fc.assert(
    fc.property(ranking, judgements, k, (found, judged, k) => {
      const at = found.findIndex((name, i) => i > 0 && (judged.get(name) ?? 0) > (judged.get(found[i - 1] ?? '') ?? 0));
      if (at < 0) return;
      const swapped = found.toSpliced(at - 1, 2, found[at] ?? '', found[at - 1] ?? '');
      expect(measure(swapped, judged, { k })).toBeGreaterThanOrEqual(measure(found, judged, { k }) - 1e-12);
    }),
  );
});
