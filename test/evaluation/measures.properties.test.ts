import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Answer,
  auroc,
  type Lines,
  reciprocalRank,
  spanIou,
  spanRecall,
  spanReciprocalRank,
} from 'waymark/evaluation';

const k = fc.integer({ min: 1, max: 20 });

const passage: fc.Arbitrary<Lines> = fc
  .tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 15 }))
  .map(([file, startLine, more]) => ({ file, startLine, endLine: startLine + more }));
const passages = fc.array(passage, { maxLength: 15 });
const answer: fc.Arbitrary<Answer> = fc.record({
  spans: fc.array(passage, { maxLength: 4 }),
  wanted: fc.constantFrom('any', 'all'),
});

const ofPassages = Object.entries({ spanIou, spanRecall, spanReciprocalRank });

it('reciprocalRank is 0..1 and does not fall when a relevant result moves up a rank', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean()), k, (right, k) => {
      const value = reciprocalRank(right, { k });
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
      const at = right.findIndex((one, i) => i > 0 && one && !right[i - 1]);
      if (at < 0) return;
      expect(reciprocalRank(right.toSpliced(at - 1, 2, true, false), { k })).toBeGreaterThanOrEqual(value);
    }),
  );
});

it.each(ofPassages)('%s is 0..1 and is not changed by appending irrelevant passages', (_, measure) => {
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

it('AUROC is complemented by swapping its arguments', () => {
  const scores = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1 });
  fc.assert(
    fc.property(scores, scores, (a, b) => {
      expect((auroc(a, b) ?? 0) + (auroc(b, a) ?? 0)).toBeCloseTo(1, 10);
    }),
  );
});
