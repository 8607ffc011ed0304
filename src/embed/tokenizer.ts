import path from 'node:path';
import type { CountTokens } from './embedder.js';
import { AutoTokenizer, env, type PreTrainedTokenizer } from './transformers-js.js';

/** The tokenizer of a model folder (Transformers.js layout); nothing is downloaded. */
export async function loadTokenizer(folder: string): Promise<PreTrainedTokenizer> {
  env.allowRemoteModels = false;
  env.localModelPath = path.dirname(path.resolve(folder));
  return AutoTokenizer.from_pretrained(path.basename(folder));
}

/** The `TokenCounterSource` of a model folder. */
export default async function loadCounter(folder: string): Promise<CountTokens> {
  const tokenizer = await loadTokenizer(folder);
  return (text) => tokenizer.encode(text).length;
}
