import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openEmbedder } from 'waymark';
import { cosine, MINILM } from './models.js';

if (!existsSync(MINILM)) console.log('skipped: the second model is not beside this repository');

test.skipIf(!existsSync(MINILM))('all-MiniLM-L6-v2 opens by folder: mean pooling, no prefix, 256 tokens', async () => {
  const { embedder } = await openEmbedder(MINILM);
  expect(embedder.card).toMatchObject({ dimensions: 384, pooling: 'mean', queryPrefix: '', maxTokens: 256 });
  const [cat, resting, rates] = await embedder.embedPassages([
    'A cat sits on a mat.',
    'A cat is resting.',
    'Rates rose.',
  ]);
  expect(cosine(cat, resting)).toBeGreaterThan(cosine(cat, rates) + 0.2);
  await embedder.close();
});
