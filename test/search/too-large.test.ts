import { expect, test } from 'vitest';
import { recordingEmbedder } from '../support/embedder.js';
import { engineOf } from '../support/engine.js';

test('an answer that is too large is refused before its sentences are compared', async () => {
  const { embedder, embedded } = recordingEmbedder();
  const engine = await engineOf({ model: embedder });
  const sections = (hall: string) =>
    Array.from({ length: 11 }, (_, i) => `## ${hall} ${i}\n\nOil the pump. Close hall ${i}.`);
  const hidden = `<!-- ${'hidden '.repeat(64_000)} -->`;
  await engine.indexFile('a.md', [...sections('West'), hidden, ...sections('East')].join('\n\n'));
  embedded.length = 0;
  const request = { query: 'oil the pump', limit: 50, highlight: true };
  await expect(engine.searchFiles({ ...request, contextDepth: 10 })).rejects.toMatchObject({
    code: 'RESPONSE_TOO_LARGE',
  });
  expect(embedded).toEqual([]);
  await engine.searchFiles({ ...request, contextDepth: 0 });
  expect(embedded).not.toEqual([]);
});
