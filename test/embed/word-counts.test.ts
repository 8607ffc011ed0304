import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import loadCounter, { loadTokenizer } from '#src/embed/tokenizer.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MODEL = path.join(ROOT, 'models', 'bge-small-en-v1.5');

let count: (text: string) => number;
let encoded: (text: string) => number;

beforeAll(async () => {
  const tokenizer = await loadTokenizer(MODEL);
  encoded = (text) => tokenizer.encode(text).length;
  count = await loadCounter(MODEL);
});

test('any text has as many tokens by its words as all at once', () => {
  const marks = fc.constantFrom(
    ...' \t\n\r\f\v\u00a0\u0085\u200b\ufeff\u0301\u3000\u2028.,-_[]#`*\u0000Σςﬁéß接続한',
    '[CLS]',
    '[MASK]',
    '##ing',
    'ΑΣ',
    'e\u0301',
    'unbelievable',
    'ERR_STREAM_PREMATURE_CLOSE',
    'x'.repeat(101),
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.array(fc.oneof(marks, fc.string({ maxLength: 8 })), { maxLength: 30 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (text) => {
      expect(count(text)).toBe(encoded(text));
    }),
    { numRuns: 3000 },
  );
});

test('real markdown has as many tokens by its words as all at once', () => {
  const folder = path.join(ROOT, 'corpus');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  const paragraphs = files.flatMap((file) => readFileSync(path.join(folder, file), 'utf8').split('\n\n'));
  expect(paragraphs.length).toBeGreaterThan(500);
  for (const paragraph of paragraphs) expect(count(paragraph)).toBe(encoded(paragraph));
});
