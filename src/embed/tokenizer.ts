import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CountTokens } from './embedder.js';
import { AutoTokenizer, env } from './transformers-js.js';
import { wordPieces } from './word-pieces.js';
import { type Encode, encodeByWords } from './word-tokens.js';

/** Loads the tokenizer of a model folder in Transformers.js layout. Downloads nothing. */
export async function loadTokenizer(folder: string): Promise<Encode> {
  env.allowRemoteModels = false;
  env.localModelPath = path.dirname(path.resolve(folder));
  const tokenizer = await AutoTokenizer.from_pretrained(path.basename(folder));
  const encode = (text: string): number[] => tokenizer.encode(text);
  const { splits, lowers, added } = await describe(folder);
  if (!splits || encode('').length !== 2) return encode;
  const { model } = tokenizer;
  const pieces = wordPieces({
    ids: model.tokens_to_ids,
    prefix: model.config.continuing_subword_prefix,
    unknown: model.unk_token_id,
    longestWord: model.config.max_input_chars_per_word ?? 100,
  });
  return encodeByWords(encode, { added, encodePart: (part) => pieces(lowers ? part.toLowerCase() : part) });
}

/** Loads the token counter of a model folder: the default export that a `TokenCounterSource` requires. */
export default async function loadCounter(folder: string): Promise<CountTokens> {
  const encode = await loadTokenizer(folder);
  return (text) => encode(text).length;
}

interface Description {
  /** Whether no token spans whitespace or ASCII marks, or depends on what is beyond them, as with BERT's tokenizers. */
  readonly splits: boolean;
  /** Whether upper case is read as lower case. */
  readonly lowers: boolean;
  readonly added: readonly string[];
}

async function describe(folder: string): Promise<Description> {
  const file = await readFile(path.join(folder, 'tokenizer.json'), 'utf8');
  const { normalizer, pre_tokenizer, model, added_tokens } = JSON.parse(file);
  const splits =
    model?.type === 'WordPiece' &&
    pre_tokenizer?.type === 'BertPreTokenizer' &&
    (normalizer === null || normalizer?.type === 'BertNormalizer');
  const lowers = normalizer?.lowercase === true;
  return { splits, lowers, added: (added_tokens ?? []).map(({ content }: { readonly content: string }) => content) };
}
