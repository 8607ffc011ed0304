import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CountTokens } from './embedder.js';
import { AutoTokenizer, env, type PreTrainedTokenizer } from './transformers-js.js';
import { countByWords } from './word-counts.js';

/** The tokenizer of a model folder (Transformers.js layout); nothing is downloaded. */
export async function loadTokenizer(folder: string): Promise<PreTrainedTokenizer> {
  env.allowRemoteModels = false;
  env.localModelPath = path.dirname(path.resolve(folder));
  return AutoTokenizer.from_pretrained(path.basename(folder));
}

/** The `TokenCounterSource` of a model folder. */
export default async function loadCounter(folder: string): Promise<CountTokens> {
  const tokenizer = await loadTokenizer(folder);
  const count = (text: string) => tokenizer.encode(text).length;
  return (await endsTokensAtBlanks(folder)) ? countByWords(count) : count;
}

/** Whether no token reaches over a blank and none depends on what is behind one: so it is with BERT's tokenizers. */
async function endsTokensAtBlanks(folder: string): Promise<boolean> {
  const { normalizer, pre_tokenizer, model } = JSON.parse(await readFile(path.join(folder, 'tokenizer.json'), 'utf8'));
  return (
    model?.type === 'WordPiece' &&
    pre_tokenizer?.type === 'BertPreTokenizer' &&
    (normalizer === null || normalizer?.type === 'BertNormalizer')
  );
}
