import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CountTokens } from './embedder.js';
import { AutoTokenizer, PreTrainedTokenizer } from './transformers-js.js';
import { wordPieces } from './word-pieces.js';
import { type Encode, encodeByWords } from './word-tokens.js';

const CLASSES: Readonly<Record<string, typeof PreTrainedTokenizer>> = AutoTokenizer.TOKENIZER_CLASS_MAPPING;

/**
 * Loads the tokenizer of a model folder in Transformers.js layout. Does not use `AutoTokenizer.from_pretrained`: that
 * can download files, and the modules for it take longer to load than the tokenizer.
 */
export async function loadTokenizer(folder: string): Promise<Encode> {
  const description = await read<Description>(folder, 'tokenizer.json');
  const config = await read<{ readonly tokenizer_class?: string }>(folder, 'tokenizer_config.json');
  const Tokenizer = CLASSES[config.tokenizer_class?.replace(/Fast$/, '') ?? ''] ?? PreTrainedTokenizer;
  const tokenizer = new Tokenizer(description, config);
  const encode = (text: string): number[] => tokenizer.encode(text);
  const { splits, lowers, added } = propertiesOf(description);
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

async function read<File>(folder: string, name: string): Promise<File> {
  return JSON.parse(await readFile(path.join(folder, name), 'utf8'));
}

/** The fields of a tokenizer.json that are read here. */
interface Description {
  readonly model?: { readonly type?: string };
  readonly pre_tokenizer?: { readonly type?: string } | null;
  readonly normalizer: { readonly type?: string; readonly lowercase?: boolean } | null;
  readonly added_tokens?: readonly { readonly content: string }[];
}

interface Properties {
  /** Whether each word and each ASCII mark is tokenized independently of its neighbours, as by BERT's tokenizers. */
  readonly splits: boolean;
  /** Whether upper case is read as lower case. */
  readonly lowers: boolean;
  readonly added: readonly string[];
}

function propertiesOf({ normalizer, pre_tokenizer, model, added_tokens = [] }: Description): Properties {
  const splits =
    model?.type === 'WordPiece' &&
    pre_tokenizer?.type === 'BertPreTokenizer' &&
    (normalizer === null || normalizer?.type === 'BertNormalizer');
  const lowers = normalizer?.lowercase === true;
  return { splits, lowers, added: added_tokens.map(({ content }) => content) };
}
