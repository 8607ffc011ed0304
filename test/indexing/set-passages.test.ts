import { expect, test } from 'vitest';
import { createHashEmbedder } from 'waymark';
import { engineOf } from '../support/engine.js';

/** An engine whose model reads 16 tokens: 2 of its own, 3 of the prefix, and 11 of the passage. */
async function engineWithPrefix() {
  const embedder = createHashEmbedder({ maxTokens: 16 });
  const model = { ...embedder, card: { ...embedder.card, passagePrefix: 'this passage: ' } };
  return engineOf({ model });
}

const file = (content: string) => ({
  key: 'manual.pdf',
  contentType: 'application/pdf',
  tags: {},
  metadata: {},
  passages: [{ content, subtype: 'paragraph' as const, page: 1 }],
});

test('a passage that is too long with the prefix of the model is INVALID_ARGUMENT, and nothing is stored', async () => {
  const engine = await engineWithPrefix();
  await expect(engine.setPassages(file('a b c d e f g h i j k l'))).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: 'passages must have at most 16 tokens each; number 1 has 17: split it.',
  });
  expect(await engine.status()).toMatchObject({ files: 0 });
});

test('a passage that just fits with the prefix of the model is stored', async () => {
  const engine = await engineWithPrefix();
  await engine.setPassages(file('a b c d e f g h i j k'));
  expect(await engine.status()).toMatchObject({ files: 1 });
});
