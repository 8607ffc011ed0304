import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { AutoTokenizer, env } from '@xenova/transformers';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { loadTokenizer } from '#src/embed/tokenizer.js';
import type { Encode } from '#src/embed/word-tokens.js';
import { folderOf } from '../support/folder.js';
import { BUNDLED } from './models.js';

let byWords: Encode;
let whole: Encode;

beforeAll(async () => {
  byWords = await loadTokenizer(BUNDLED);
  env.localModelPath = path.dirname(BUNDLED);
  const tokenizer = await AutoTokenizer.from_pretrained(path.basename(BUNDLED));
  whole = (text) => tokenizer.encode(text);
});

test('encoding word by word gives any text the same ids as encoding it whole', () => {
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
      expect(byWords(text)).toEqual(whole(text));
    }),
    { numRuns: 3000 },
  );
});

test('encoding word by word gives real markdown the same ids as encoding it whole', () => {
  const folder = path.resolve('corpus');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  const paragraphs = files.flatMap((file) => readFileSync(path.join(folder, file), 'utf8').split('\n\n'));
  expect(paragraphs.length).toBeGreaterThan(500);
  for (const paragraph of paragraphs) expect(byWords(paragraph)).toEqual(whole(paragraph));
});

test('a vocabulary may have more tokens than a call may have arguments, as that of LaBSE', async () => {
  const description = JSON.parse(readFileSync(path.join(BUNDLED, 'tokenizer.json'), 'utf8'));
  const { vocab } = description.model;
  for (let id = Object.keys(vocab).length; id < 200_000; id++) vocab[`zz${id}`] = id;
  const folder = folderOf({
    'tokenizer.json': JSON.stringify(description),
    'tokenizer_config.json': readFileSync(path.join(BUNDLED, 'tokenizer_config.json')),
  });
  const encode = await loadTokenizer(folder);
  expect(encode('Rotate the keys.')).toEqual(byWords('Rotate the keys.'));
});
