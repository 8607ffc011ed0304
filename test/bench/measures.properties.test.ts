import fc from 'fast-check';
import { expect, it } from 'vitest';
import { auroc } from '../../bench/measures/auroc.js';
import { ndcg } from '../../bench/measures/ndcg.js';
import { recall } from '../../bench/measures/recall.js';
import { reciprocalRank } from '../../bench/measures/reciprocal-rank.js';
import type { Answer, Lines } from '../../bench/measures/span.js';
import { spanIou } from '../../bench/measures/span-iou.js';
import { spanRecall, spanReciprocalRank } from '../../bench/measures/span-rank.js';

const id = fc.integer({ min: 0, max: 30 }).map((number) => `d${number}`);
const ranking = fc.uniqueArray(id, { maxLength: 25 });
const judgements = fc.array(fc.tuple(id, fc.integer({ min: 0, max: 3 }))).map((pairs) => new Map(pairs));
const k = fc.integer({ min: 1, max: 20 });

const passage: fc.Arbitrary<Lines> = fc
  .tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 15 }))
  .map(([file, startLine, more]) => ({ file, startLine, endLine: startLine + more }));
const passages = fc.array(passage, { maxLength: 15 });
const answer: fc.Arbitrary<Answer> = fc.record({
  spans: fc.array(passage, { maxLength: 4 }),
  wanted: fc.constantFrom('any', 'all'),
});

const ofDocuments = Object.entries({ ndcg, recall, reciprocalRank });
const ofPassages = Object.entries({ spanIou, spanRecall, spanReciprocalRank });

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

it.each(ofPassages)('%s is 0..1, and passages of other files at the end do not raise it', (_, measure) => {
  fc.assert(
    fc.property(passages, answer, k, (found, wanted, k) => {
      const value = measure(found, wanted, { k });
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
      expect(measure([...found, { file: 'other', startLine: 1, endLine: 99 }], wanted, { k })).toBe(value);
    }),
  );
});

it.each(ofPassages)('%s does not fall as k grows', (_, measure) => {
  fc.assert(
    fc.property(passages, answer, k, (found, wanted, k) => {
      expect(measure(found, wanted, { k: k + 1 })).toBeGreaterThanOrEqual(measure(found, wanted, { k }));
    }),
  );
});

it('AUROC turns around with its arguments', () => {
  const scores = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1 });
  fc.assert(
    fc.property(scores, scores, (a, b) => {
      expect((auroc(a, b) ?? 0) + (auroc(b, a) ?? 0)).toBeCloseTo(1, 10);
    }),
  );
});
