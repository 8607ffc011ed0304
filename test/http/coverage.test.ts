import { expect, test } from 'vitest';
import { heldEmbedder } from '../support/held-embedder.js';
import { serviceOf } from './service.js';

test('x-waymark-coverage of a search is the share of passages that are embedded', async () => {
  const { embedder, asked, letGo } = heldEmbedder();
  const { ask, put } = await serviceOf({}, { model: embedder });
  const search = () => ask('/v1/files/search?query=vinegar');
  expect((await search()).headers.get('x-waymark-coverage')).toBe('1');
  const indexed = put('a.md', 'Descale it with vinegar.');
  await asked;
  const early = await search();
  expect([early.headers.get('x-waymark-coverage'), early.body.passages.length]).toEqual(['0', 1]);
  letGo();
  await indexed;
  expect((await search()).headers.get('x-waymark-coverage')).toBe('1');
});
