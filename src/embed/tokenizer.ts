import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CountTokens } from './embedder.js';
import { AutoTokenizer, env } from './transformers-js.js';
import { type Encode, encodeByWords } from './word-tokens.js';

/** Loads the tokenizer of a model folder in Transformers.js layout. Downloads nothing. */
export async function loadTokenizer(folder: string): Promise<Encode> {
  env.allowRemoteModels = false;
  env.localModelPath = path.dirname(path.resolve(folder));
  const tokenizer = await AutoTokenizer.from_pretrained(path.basename(folder));
  const encode = (text: string): number[] => tokenizer.encode(text);
  return (await splitsAtWhitespace(folder)) && encode('').length === 2 ? encodeByWords(encode) : encode;
}

/** Loads the token counter of a model folder: the default export that a `TokenCounterSource` requires. */
export default async function loadCounter(folder: string): Promise<CountTokens> {
  const encode = await loadTokenizer(folder);
  return (text) => encode(text).length;
}

/** Whether no token spans whitespace or depends on what is beyond it, as with BERT's tokenizers. */
async function splitsAtWhitespace(folder: string): Promise<boolean> {
  const { normalizer, pre_tokenizer, model } = JSON.parse(await readFile(path.join(folder, 'tokenizer.json'), 'utf8'));
  return (
    model?.type === 'WordPiece' &&
    pre_tokenizer?.type === 'BertPreTokenizer' &&
    (normalizer === null || normalizer?.type === 'BertNormalizer')
  );
}
