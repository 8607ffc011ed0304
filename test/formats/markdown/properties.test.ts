import fc from 'fast-check';
import { expect, test } from 'vitest';
import parseMarkdown from '#src/formats/markdown/parse-markdown.js';
import { countWords } from './counting.js';
import { documents, files, noise } from './documents.js';
import { violations } from './invariants.js';

const limits = [
  { budget: 192, maxTokens: 512 },
  { budget: 40, maxTokens: 64 },
  { budget: 16, maxTokens: 32 },
  { budget: 500, maxTokens: 24 },
].map((limit) => ({ ...limit, embedBreadcrumb: true, countTokens: countWords }));
const seeded = { seed: 20, numRuns: 80 };

test.each(limits)('files keep the invariants, budget $budget, limit $maxTokens', (limit) => {
  fc.assert(
    fc.property(files, (text) => {
      expect(violations(text, parseMarkdown(text, limit), limit)).toEqual([]);
    }),
    seeded,
  );
});

test.each(limits)('noise keeps the invariants, budget $budget, limit $maxTokens', (limit) => {
  fc.assert(
    fc.property(noise, (text) => {
      expect(violations(text, parseMarkdown(text, limit), limit)).toEqual([]);
    }),
    seeded,
  );
});

test('a file with CRLF gives the passages of the same file with LF', () => {
  const passages = (text: string, limit: (typeof limits)[number]) =>
    parseMarkdown(text, limit).passages.map(({ start, end, ...passage }) => passage);
  fc.assert(
    fc.property(documents, fc.constantFrom(...limits), (text, limit) => {
      expect(passages(text.replaceAll('\n', '\r\n'), limit)).toEqual(passages(text, limit));
    }),
    seeded,
  );
});

test('parsing twice gives the same', () => {
  fc.assert(
    fc.property(files, fc.constantFrom(...limits), (text, limit) => {
      expect(parseMarkdown(text, limit)).toEqual(parseMarkdown(text, limit));
    }),
    seeded,
  );
});
