import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openEmbedder } from '#src/embed/open.js';

const MINILM = path.resolve('../shared/models/all-MiniLM-L6-v2');

if (!existsSync(MINILM)) console.log('skipped: the second model is not beside this repository');

test.skipIf(!existsSync(MINILM))(
  'all-MiniLM-L6-v2 is opened by its folder: mean pooling, no prefix, 256 tokens',
  async () => {
    const { embedder } = await openEmbedder(MINILM);
    expect(embedder.card).toMatchObject({ dimensions: 384, pooling: 'mean', queryPrefix: '', maxTokens: 256 });
    const [a, b, c] = await embedder.embedPassages(['A cat sits on a mat.', 'A cat is resting.', 'Rates rose.']);
    expect(cosine(a, b)).toBeGreaterThan(cosine(a, c) + 0.2);
    await embedder.close();
  },
);

function cosine(x: Float32Array | undefined, y: Float32Array | undefined): number {
  if (!x || !y) return Number.NaN;
  return x.reduce((sum, element, i) => sum + element * (y[i] ?? 0), 0);
}
