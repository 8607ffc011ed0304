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
  const { splits, added } = await describe(folder);
  return splits && encode('').length === 2 ? encodeByWords(encode, { added }) : encode;
}

/** Loads the token counter of a model folder: the default export that a `TokenCounterSource` requires. */
export default async function loadCounter(folder: string): Promise<CountTokens> {
  const encode = await loadTokenizer(folder);
  return (text) => encode(text).length;
}

/** Whether no token spans whitespace or ASCII marks, or depends on what is beyond them, as with BERT's tokenizers. */
async function describe(folder: string): Promise<{ readonly splits: boolean; readonly added: readonly string[] }> {
  const file = await readFile(path.join(folder, 'tokenizer.json'), 'utf8');
  const { normalizer, pre_tokenizer, model, added_tokens } = JSON.parse(file);
  const splits =
    model?.type === 'WordPiece' &&
    pre_tokenizer?.type === 'BertPreTokenizer' &&
    (normalizer === null || normalizer?.type === 'BertNormalizer');
  return { splits, added: (added_tokens ?? []).map(({ content }: { readonly content: string }) => content) };
}
