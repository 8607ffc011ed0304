import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openEmbedder } from 'waymark';
import { readModel } from '#src/embed/model/model.js';
import { folderOf } from '../../support/folder.js';
import { BUNDLED } from '../models.js';

/** A model folder of an unknown family: the bundled tokenizer, and weights of a few bytes. */
function modelFolder(config: Record<string, unknown> = { hidden_size: 8, max_position_embeddings: 64 }): string {
  const folder = folderOf({
    'config.json': JSON.stringify(config),
    'tokenizer_config.json': '{"tokenizer_class":"BertTokenizer"}',
    'onnx/model_quantized.onnx': 'no weights',
  });
  copyFileSync(path.join(BUNDLED, 'tokenizer.json'), path.join(folder, 'tokenizer.json'));
  return folder;
}

async function cardOf(folder: string) {
  const { embedder } = await openEmbedder(folder);
  await embedder.close();
  return embedder.card;
}

test('a card is read from model-card.json', async () => {
  const folder = modelFolder();
  writeFileSync(
    path.join(folder, 'model-card.json'),
    '{"dimensions":8,"pooling":"mean","queryPrefix":"q: ","passagePrefix":"p: ","maxTokens":32}',
  );
  expect(await cardOf(folder)).toMatchObject({
    id: path.basename(folder),
    dimensions: 8,
    pooling: 'mean',
    queryPrefix: 'q: ',
    passagePrefix: 'p: ',
    maxTokens: 32,
  });
});

test('a card is read from the files of sentence-transformers', async () => {
  const folder = modelFolder();
  mkdirSync(path.join(folder, '1_Pooling'));
  writeFileSync(path.join(folder, '1_Pooling', 'config.json'), '{"pooling_mode_mean_tokens":true}');
  writeFileSync(path.join(folder, 'sentence_bert_config.json'), '{"max_seq_length":48}');
  expect(await cardOf(folder)).toMatchObject({ dimensions: 8, pooling: 'mean', queryPrefix: '', maxTokens: 48 });
});

test('card fields of the caller take precedence over the files of the model', async () => {
  const { embedder } = await openEmbedder({ folder: BUNDLED, card: { maxTokens: 128 } });
  expect(embedder.card.maxTokens).toBe(128);
});

test('a model that does not state its card is an error that asks for it', async () => {
  await expect(openEmbedder(modelFolder())).rejects.toMatchObject({
    code: 'MODEL_INVALID',
    message: expect.stringMatching(
      /does not state its dimensions, pooling and maxTokens: write them to .*model-card\.json/,
    ),
  });
});

test.each([
  ['{"pooling":"max"}', 'pooling must be "cls" or "mean"; it is "max".'],
  [
    '{"similarity":{"unrelated":0.5,"related":0.5}}',
    'similarity must be { unrelated, related }, two cosines of which related is the greater; ' +
      'it is { unrelated: 0.5, related: 0.5 }.',
  ],
])('an invalid field of a card is an error with what it must be: %s', async (card, rule) => {
  const folder = modelFolder();
  const file = path.join(folder, 'model-card.json');
  writeFileSync(file, card);
  await expect(openEmbedder(folder)).rejects.toMatchObject({
    code: 'MODEL_INVALID',
    message: `${file}: ${rule} Correct it or remove it.`,
  });
});

test('an invalid JSON file is an error that names it', async () => {
  const folder = modelFolder();
  writeFileSync(path.join(folder, 'config.json'), '{');
  await expect(openEmbedder(folder)).rejects.toMatchObject({
    code: 'MODEL_INVALID',
    message: expect.stringMatching(/config\.json cannot be read as a JSON object/),
  });
});

test.each(['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx'])(
  'a folder without %s is not a model',
  async (file) => {
    const folder = modelFolder();
    rmSync(path.join(folder, file));
    await expect(openEmbedder(folder)).rejects.toMatchObject({
      code: 'MODEL_MISSING',
      message: expect.stringContaining(`${path.normalize(file)} is missing`),
    });
  },
);

test('a name that is neither a folder nor a hub id is an error', async () => {
  await expect(openEmbedder('no-such-model')).rejects.toMatchObject({ code: 'MODEL_MISSING' });
});

test('the fingerprint depends on weights, pooling, passage prefix and limit, not on the query prefix', async () => {
  const card = { dimensions: 8, pooling: 'mean', maxTokens: 32 } as const;
  const folder = modelFolder();
  const print = async (given: object) =>
    (await openEmbedder({ folder, card: { ...card, ...given } })).embedder.card.fingerprint;
  const before = await print({});
  expect(await print({ queryPrefix: 'q: ' })).toBe(before);
  const others = [
    await print({ pooling: 'cls' }),
    await print({ passagePrefix: 'p: ' }),
    await print({ maxTokens: 16 }),
  ];
  writeFileSync(path.join(folder, 'onnx', 'model_quantized.onnx'), 'other weights');
  others.push(await print({}));
  expect(new Set([before, ...others]).size).toBe(5);
});

test('the fingerprint depends on the files and settings of the tokenizer and on the runtime', async () => {
  const given = { pooling: 'mean' } as const;
  const folder = modelFolder();
  const print = async (runtime?: string) =>
    (await readModel(folder, { given, ...(runtime !== undefined && { runtime }) })).card.fingerprint;
  const before = await print();
  expect(await print('1.14.0')).toBe(before);
  const others = [await print('1.15.0')];
  writeFileSync(
    path.join(folder, 'tokenizer_config.json'),
    '{"tokenizer_class":"BertTokenizer","model_max_length":99}',
  );
  expect(await print()).toBe(before);
  for (const config of [
    '{"tokenizer_class":"XLMRobertaTokenizer"}',
    '{"tokenizer_class":"BertTokenizer","do_lowercase_and_remove_accent":true}',
  ]) {
    writeFileSync(path.join(folder, 'tokenizer_config.json'), config);
    others.push(await print());
  }
  writeFileSync(path.join(folder, 'tokenizer.json'), '{}');
  others.push(await print());
  expect(new Set([before, ...others]).size).toBe(5);
});

test('the fingerprint of the bundled model is the one in existing databases', async () => {
  const card = await cardOf(BUNDLED);
  expect(card.fingerprint).toBe('190a454eb424215d81665e895676102a701015e6a2dfdd4be5c43358253fa32d');
});

test('a model whose files were replaced after it was opened does not embed', async () => {
  const folder = path.join(folderOf(), 'model');
  cpSync(BUNDLED, folder, { recursive: true });
  const { embedder } = await openEmbedder(folder);
  const weights = path.join(folder, 'onnx', 'model_quantized.onnx');
  writeFileSync(weights, readFileSync(weights).fill(0, 1000, 2000));
  await expect(embedder.embedQuery('hello')).rejects.toMatchObject({
    code: 'EMBEDDER_FAILED',
    message:
      `The model in ${folder} could not be run (its files have changed since it was opened: reopen it): ` +
      "check its files and the system's limits on processes, or choose another model.",
  });
  await embedder.close();
});

test('weights that the runtime cannot load are an error that names the folder', async () => {
  const folder = modelFolder();
  const { embedder } = await openEmbedder({ folder, card: { pooling: 'mean' } });
  await expect(embedder.embedQuery('hello')).rejects.toMatchObject({
    code: 'EMBEDDER_FAILED',
    message: expect.stringContaining(folder),
    cause: expect.any(Error),
  });
  await embedder.close();
});

test('a card with wrong dimensions is an error on the first embedding', async () => {
  const { embedder } = await openEmbedder({ folder: BUNDLED, card: { dimensions: 8 } });
  await expect(embedder.embedQuery('hello')).rejects.toMatchObject({
    code: 'EMBEDDER_FAILED',
    message: expect.stringContaining('the model returns 384 dimensions but its card states 8'),
  });
  await embedder.close();
});
